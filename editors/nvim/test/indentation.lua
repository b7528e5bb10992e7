-- Indentation, without a server.

local harness = require('harness')
local test, equal = harness.test, harness.equal

test('indentation leaves every example as it is', function()
  for _, path in ipairs(vim.fn.glob(harness.root .. '/examples/*.shape', false, true)) do
    vim.cmd.edit(path)
    local before = harness.text(0)
    vim.cmd('silent normal! gg=G')
    equal(harness.text(0), before, path)
    vim.cmd('bwipeout!')
  end
end)

test('indentation is what the formatter writes', function()
  for _, name in ipairs({ 'kernels', 'functions', 'tilings', 'the_tour_is_written_as_the_formatter_writes_it' }) do
    local path = ('%s/compiler/syntax/src/format/snapshots/syntax__format__tests__%s.snap'):format(
      harness.root,
      name
    )
    local lines = vim.fn.readfile(path)
    -- A snapshot begins with a head between two lines of hyphens.
    local head = vim.fn.index(lines, '---', 1) + 2
    local text = table.concat(vim.list_slice(lines, head), '\n')
    harness.file('a.shape', text)
    vim.cmd('silent normal! gg=G')
    equal(harness.text(0), text, name)
  end
end)

test('indentation while typing', function()
  harness.file('a.shape', '')
  local keys = 'ikernel f(<CR>x: f32,<CR>) {<CR>for i in 0..3 {<CR>ys[i] =<CR>1;<CR>}<CR>}<CR>'
    .. 'run f(x: zeros)<CR>with N = 1<CR>expect x == 0;<CR>map m = a<CR>|> b;<CR>assert m;<CR>fn g(x)<CR>-> f32 {<CR>let y = x;<CR>y +<CR>1.0<CR>}<CR>fn h(x)<CR>= x;<CR>assert m;<Esc>'
  vim.api.nvim_feedkeys(vim.keycode(keys), 'tx', false)
  equal(harness.text(0), table.concat({
    'kernel f(',
    '    x: f32,',
    ') {',
    '    for i in 0..3 {',
    '        ys[i] =',
    '            1;',
    '    }',
    '}',
    'run f(x: zeros)',
    '    with N = 1',
    '    expect x == 0;',
    'map m = a',
    '    |> b;',
    'assert m;',
    'fn g(x)',
    '    -> f32 {',
    '    let y = x;',
    '    y +',
    '        1.0',
    '}',
    'fn h(x)',
    '    = x;',
    'assert m;',
  }, '\n'))
end)

harness.finish()
