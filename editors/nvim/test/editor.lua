-- Without a server: filetype, options, colours, indentation, folds, commands, help.

local harness = require('harness')
local test, equal, holds = harness.test, harness.equal, harness.holds

--- The syntax groups of each word in a line, from the syntax file.
local function group(lnum, column)
  local id = vim.fn.synID(lnum, column, 1)
  return vim.fn.synIDattr(id, 'name'):gsub('^shapewright', '')
end

--- Insists that `word`, at its first place in the line, is in a syntax group.
local function coloured(lnum, word, expected)
  local line = vim.fn.getline(lnum)
  local column = assert(line:find(word, 1, true), ('no %q in %q'):format(word, line))
  equal(group(lnum, column), expected, ('%q in %q'):format(word, line))
end

--- All `.shape` files that are right.
local function sources()
  local files = vim.fn.glob(harness.root .. '/examples/*.shape', false, true)
  vim.list_extend(files, vim.fn.glob(harness.root .. '/tests/fixtures/*.shape', false, true))
  vim.list_extend(files, vim.fn.glob(harness.root .. '/compiler/tests/fixtures/*.shape', false, true))
  assert(#files >= 15, 'there are too few sources')
  return files
end

test('a file that ends in .shape has the filetype', function()
  harness.file('a.shape', '')
  equal(vim.bo.filetype, 'shapewright')
end)

test('options', function()
  harness.file('a.shape', 'a : [1]')
  equal(vim.bo.commentstring, '// %s')
  equal(vim.bo.shiftwidth, 4)
  equal(vim.bo.expandtab, true)
  vim.cmd.normal('gcc')
  equal(vim.fn.getline(1), '// a : [1]')
  vim.cmd.normal('gcc')
  equal(vim.fn.getline(1), 'a : [1]')
  vim.bo.filetype = 'text'
  equal(vim.bo.commentstring, '', 'the options end with the filetype')
end)

test('a comment goes on in the next line', function()
  harness.file('a.shape', '/// One.')
  vim.api.nvim_feedkeys(vim.keycode('otwo<Esc>'), 'tx', false)
  equal(vim.fn.getline(2), '/// two')
end)

test('gf opens the file that `use` names', function()
  local buffer = harness.file('a.shape', 'use "b";')
  local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
  vim.fn.writefile({ 'b : [1]' }, folder .. '/b.shape')
  vim.fn.cursor(1, 6)
  vim.cmd.normal('gf')
  equal(vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'b.shape')
end)

test('gq breaks comments without a server', function()
  harness.file('a.shape', '// ' .. ('word '):rep(40))
  vim.cmd.normal('gqq')
  assert(vim.fn.line('$') == 2, 'the comment is one line still')
  holds(vim.fn.getline(2), '// word')
end)

test('syntax: items', function()
  require('shapewright.config').set({ treesitter = false })
  harness.file('a.shape', table.concat({
    'use "other.shape";',
    'mdspan<1> s1 : [3];',
    'new-shape0 : shape [(0) / 2, ?];',
    'dim M, N where M % 64 == 0;',
    'const B = 0x40;',
    'map m = gpu::reshape_map!([3] | [4] => layout: [i0, -t0], offset: 4);',
    'assert |shape| == 8192 && m(1) == _;',
    'show 1e-6 + 2.5;',
    'run scale(a: 2.0, x: arange, y: npy("y.npy")) with M = 4 expect y == 2.0 * x within 1e-5 save y: "y.npy";',
  }, '\n'))
  equal(vim.b.current_syntax, 'shapewright')
  coloured(1, 'use', 'Include')
  coloured(1, 'other', 'String')
  coloured(2, 'mdspan', 'Keyword')
  coloured(2, 's1', 'ShapeName')
  coloured(3, 'new-shape0', 'ShapeName')
  coloured(3, 'shape [', '')
  coloured(3, '?', 'Hole')
  coloured(4, 'dim', 'Keyword')
  coloured(4, 'where', 'Keyword')
  coloured(4, '==', 'Operator')
  coloured(5, '0x40', 'Integer')
  coloured(6, 'map', 'Keyword')
  coloured(6, 'gpu', 'Namespace')
  coloured(6, 'reshape_map', 'Macro')
  coloured(6, 'layout', 'Part')
  coloured(6, 'i0', 'Entry')
  coloured(6, 't0', 'Entry')
  coloured(7, 'assert', 'Keyword')
  coloured(7, '8192', 'Integer')
  coloured(7, '_', 'Hole')
  coloured(8, 'show', 'Keyword')
  coloured(8, '1e-6', 'Float')
  coloured(8, '2.5', 'Float')
  coloured(9, 'run', 'Keyword')
  coloured(9, 'scale', 'RunName')
  coloured(9, 'arange', 'Initial')
  coloured(9, 'npy', 'Builtin')
  for _, word in ipairs({ 'with', 'expect', 'within', 'save' }) do
    coloured(9, word, 'Keyword')
  end
end)

test('syntax: kernels', function()
  harness.file('a.shape', table.concat({
    'kernel scale(a: f32, x: f32[N] strided [LD], y: mut f32[N]) grid(1) block(4) {',
    '    view xs = x via strided per warp masked;',
    '    let mut value: f32 = f32(xs[0] / 2);',
    '    for (i, j) in grid(n, m) { ys[i] += sqrt(xs[i].x); }',
    '    if value < 0.0 { value = -1.0; } else if value == 1 { value *= 2.0; } else { }',
    '    shared buf : f32[64];',
    '}',
  }, '\n'))
  coloured(1, 'kernel', 'Kernel')
  coloured(1, 'scale', 'KernelName')
  coloured(1, 'f32', 'Type')
  coloured(1, 'strided', 'Modifier')
  coloured(1, 'mut', 'Modifier')
  coloured(1, 'grid', 'Keyword')
  coloured(1, 'block', 'Keyword')
  coloured(2, 'view', 'Keyword')
  coloured(2, 'via', 'Keyword')
  coloured(2, 'strided', '')
  coloured(2, 'per', 'Keyword')
  coloured(2, 'masked', 'Modifier')
  coloured(3, 'let', 'Keyword')
  coloured(3, 'mut', 'Modifier')
  coloured(3, 'f32', 'Type')
  coloured(4, 'for', 'Repeat')
  coloured(4, 'in', 'Repeat')
  coloured(4, 'sqrt', 'Builtin')
  coloured(4, 'x);', 'Member')
  coloured(4, '+=', 'Operator')
  coloured(5, 'if', 'Conditional')
  coloured(5, 'else', 'Conditional')
  coloured(6, 'shared', 'Modifier')
end)

test('syntax: words are names where their meaning is not seen', function()
  harness.file('a.shape', table.concat({
    'map : [1, 2];',
    'x : [view, show, layout, if];',
    'show : [2]',
    'y : map + block',
    'z : map-x',
  }, '\n'))
  coloured(1, 'map', 'ShapeName')
  for _, word in ipairs({ 'view', 'show', 'layout', 'if' }) do
    coloured(2, word, '')
  end
  coloured(3, 'show', 'ShapeName')
  coloured(4, 'map', '')
  coloured(4, 'block', '')
  coloured(5, 'map', '')
end)

test('syntax: comments and strings', function()
  harness.file('a.shape', table.concat({
    '/// Doc of map m = 1.',
    '//// No doc.',
    'a : [1]; /* map',
    'm = TODO */ b : [2]',
    'use "// no \\" comment"; c : [1] // yes',
  }, '\n'))
  coloured(1, 'map', 'Documentation')
  coloured(2, 'No', 'Comment')
  coloured(3, 'map', 'Comment')
  coloured(4, 'TODO', 'Todo')
  coloured(4, 'b :', '')
  coloured(4, '2', 'Integer')
  coloured(5, 'comment', 'String')
  coloured(5, '\\"', 'Escape')
  coloured(5, 'yes', 'Comment')
end)

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
  for _, name in ipairs({ 'kernels', 'tilings', 'the_tour_is_written_as_the_formatter_writes_it' }) do
    local path = ('%s/compiler/src/syntax/format/snapshots/shapewright_compiler__syntax__format__tests__%s.snap'):format(
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
    .. 'run f(x: zeros)<CR>with N = 1<CR>expect x == 0;<CR>map m = a<CR>|> b;<CR>assert m;<Esc>'
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
  }, '\n'))
end)

test('the parser is built and used', function()
  require('shapewright.config').set({})
  equal(require('shapewright.parser').installed(), false)
  harness.file('a.shape', 'map m = linear(4);')
  equal(vim.b.current_syntax, 'shapewright')
  vim.cmd.ShapewrightInstallParser()
  harness.shown('the tree-sitter parser is installed')
  equal(require('shapewright.parser').installed(), true)
  assert(vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()], 'tree-sitter does not highlight')
  harness.file('b.shape', 'map m = linear(4);')
  assert(vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()], 'tree-sitter does not highlight a new file')
  holds(harness.health(), 'the tree-sitter parser is installed')
end)

--- The last capture at the first place of a word.
local function capture(lnum, word)
  local column = assert(vim.fn.getline(lnum):find(word, 1, true), word)
  local captures = vim.tbl_filter(function(each)
    return each.capture ~= 'spell'
  end, vim.treesitter.get_captures_at_pos(0, lnum - 1, column - 1))
  return captures[#captures] and captures[#captures].capture
end

test('tree-sitter: what is captured as what', function()
  harness.file('a.shape', table.concat({
    '/// Doc.',
    'dim N where N % 4 == 0;',
    'map m = gpu::reshape_map!([4] | [N / 4] => layout: [i0, -t0], offset: 0x1);',
    'kernel scale(a: f32, x: f32[N], y: mut f32[N]) grid(1) {',
    '    view xs = x via m per warp masked;',
    '    for i in 0..3 { ys[i] = f32(sqrt(xs[i].x)); }',
    '}',
    'run scale(a: 2.0, x: arange, y: zeros) with N = 4 expect y == x.reverse(); // why',
    'map : [1]',
  }, '\n'))
  vim.treesitter.get_parser(0):parse(true)
  for _, expected in ipairs({
    { 1, 'Doc', 'comment.documentation' },
    { 2, 'dim', 'keyword' },
    { 2, 'N', 'constant' },
    { 2, '%', 'operator' },
    { 2, '4', 'number' },
    { 3, 'map', 'keyword' },
    { 3, 'gpu', 'module' },
    { 3, 'reshape_map', 'function.builtin' },
    { 3, 'layout', 'variable.parameter' },
    { 3, 'i0', 'constant.builtin' },
    { 3, 't0', 'constant.builtin' },
    { 4, 'kernel', 'keyword.function' },
    { 4, 'scale', 'function' },
    { 4, 'a:', 'variable.parameter' },
    { 4, 'f32', 'type.builtin' },
    { 4, 'mut', 'keyword.modifier' },
    { 5, 'view', 'keyword' },
    { 5, 'warp', 'constant.builtin' },
    { 5, 'masked', 'keyword.modifier' },
    { 6, 'for', 'keyword.repeat' },
    { 6, 'f32', 'type.builtin' },
    { 6, 'sqrt', 'function.builtin' },
    { 6, 'x)', 'variable.member' },
    { 8, 'run', 'keyword' },
    { 8, 'scale', 'function.call' },
    { 8, '2.0', 'number.float' },
    { 8, 'arange', 'constant.builtin' },
    { 8, 'reverse', 'function.method.call' },
    { 8, 'why', 'comment' },
    { 9, 'map', 'variable' },
  }) do
    equal(capture(expected[1], expected[2]), expected[3], expected[2])
  end
end)

test('tree-sitter: every source has a tree without errors', function()
  for _, path in ipairs(sources()) do
    vim.cmd.edit(path)
    equal(vim.treesitter.get_parser(0):parse()[1]:root():has_error(), false, path)
    vim.cmd('bwipeout!')
  end
end)

test('tree-sitter: edits leave the tree that the whole text has', function()
  local text = table.concat(vim.fn.readfile(harness.root .. '/compiler/tests/fixtures/kernels.shape'), '\n')
  local buffer = harness.file('a.shape', text)
  local parser = vim.treesitter.get_parser(buffer, 'shapewright')
  parser:parse()
  for lnum = 1, vim.fn.line('$') do
    local line = vim.fn.getline(lnum)
    for _, changed in ipairs({ line .. ';', line:gsub('[%[%](){}]', ''), line }) do
      vim.fn.setline(lnum, changed)
      local fresh = vim.treesitter.get_string_parser(harness.text(buffer), 'shapewright'):parse()[1]:root()
      local incremental = parser:parse()[1]:root()
      if not fresh:has_error() then
        equal(incremental:sexpr(), fresh:sexpr(), ('line %d as %q'):format(lnum, changed))
      end
    end
  end
end)

test('tree-sitter: folds', function()
  harness.file('a.shape', 'kernel f() {\n    for i in 0..3 {\n        a = 1;\n    }\n}\nmap m = a;')
  vim.wo.foldmethod = 'expr'
  vim.wo.foldexpr = 'v:lua.vim.treesitter.foldexpr()'
  harness.eventually('folds', function()
    vim.cmd('normal! zx')
    return vim.fn.foldlevel(3) == 2 and vim.fn.foldlevel(6) == 0
  end)
end)

test('tree-sitter: every query is right', function()
  for _, name in ipairs({ 'highlights', 'folds', 'locals', 'indents', 'injections' }) do
    local query = assert(vim.treesitter.query.get('shapewright', name), name)
    assert(#query.captures > 0, name)
  end
end)

test('the queries are those of the grammar', function()
  local grammar = harness.root .. '/editors/tree-sitter-shapewright/queries/'
  for name, kind in vim.fs.dir(harness.root .. '/editors/nvim/queries/shapewright') do
    equal(kind, 'file')
    equal(vim.fn.readfile(harness.root .. '/editors/nvim/queries/shapewright/' .. name), vim.fn.readfile(grammar .. name))
  end
end)

test('the queries for Helix are right', function()
  for name in vim.fs.dir(harness.root .. '/editors/tree-sitter-shapewright/queries/helix') do
    local path = harness.root .. '/editors/tree-sitter-shapewright/queries/helix/' .. name
    local query = vim.treesitter.query.parse('shapewright', table.concat(vim.fn.readfile(path), '\n'))
    assert(#query.captures > 0, name)
  end
end)

test('no node has two captures for Helix', function()
  local path = harness.root .. '/editors/tree-sitter-shapewright/queries/helix/highlights.scm'
  local query = vim.treesitter.query.parse('shapewright', table.concat(vim.fn.readfile(path), '\n'))
  for _, source in ipairs(sources()) do
    local text = table.concat(vim.fn.readfile(source), '\n')
    local seen = {}
    local root = vim.treesitter.get_string_parser(text, 'shapewright'):parse()[1]:root()
    for id, node in query:iter_captures(root, text) do
      local before = seen[node:id()]
      assert(not before or before == id, ('%s: %q twice'):format(source, vim.treesitter.get_node_text(node, text)))
      seen[node:id()] = id
    end
  end
end)

test('every command is there and described in the help', function()
  vim.cmd('helptags ' .. harness.root .. '/editors/nvim/doc')
  local commands = vim.api.nvim_get_commands({})
  for name in pairs(require('shapewright.commands').user_commands) do
    assert(commands['Shapewright' .. name], name)
    vim.cmd.help(':Shapewright' .. name)
    holds(vim.api.nvim_buf_get_name(0), 'doc/shapewright.txt')
  end
  for _, tag in ipairs({ 'shapewright', 'shapewright-setup', 'shapewright-settings', 'shapewright-health' }) do
    vim.cmd.help(tag)
    equal(vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'shapewright.txt')
  end
end)

test('options that are wrong are named, and the others count', function()
  local config = require('shapewright.config')
  local problems = config.set({
    servers = {},
    settings = { run = { onSave = 'yes', timeLimit = 5 }, lens = { enabled = 1 } },
  })
  equal(problems, {
    'there is no option `servers`',
    '`settings.lens.enabled` must be a boolean, not 1',
    '`settings.run.onSave` must be one of off, changed, all, not "yes"',
  }, 'problems')
  equal(config.get().settings.run.onSave, 'off')
  equal(config.get().settings.run.timeLimit, 5)
  equal(config.get().settings.lens.enabled, true)
  config.set({})
end)

harness.finish()
