-- The tree-sitter parser, and the queries of this plugin and of Helix.

local harness = require('harness')
local test, equal, holds = harness.test, harness.equal, harness.holds

--- The last capture at a place.
local function capture(lnum, column)
  vim.treesitter.get_parser(0):parse(true)
  local captures = vim.tbl_filter(function(each)
    return each.capture ~= 'spell'
  end, vim.treesitter.get_captures_at_pos(0, lnum - 1, column - 1))
  return captures[#captures] and captures[#captures].capture
end

--- All `.shape` files that are right.
local function sources()
  local files = vim.fn.glob(harness.root .. '/examples/*.shape', false, true)
  vim.list_extend(files, vim.fn.glob(harness.root .. '/tests/fixtures/*.shape', false, true))
  vim.list_extend(files, vim.fn.glob(harness.root .. '/compiler/tests/fixtures/*.shape', false, true))
  assert(#files >= 15, 'there are too few sources')
  return files
end

--- A query for Helix.
local function helix(name)
  local path = ('%s/editors/tree-sitter-shapewright/queries/helix/%s.scm'):format(harness.root, name)
  return vim.treesitter.query.parse('shapewright', table.concat(vim.fn.readfile(path), '\n'))
end

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

test('what is captured as what', function()
  harness.words({
    { '/// Doc.', { 'Doc', 'comment.documentation' } },
    { 'dim N where N % 4 == 0;', { 'dim', 'keyword' }, { 'N', 'constant' }, { '%', 'operator' }, { '4', 'number' } },
    {
      'map m = gpu::reshape_map!([4] | [N / 4] => layout: [i0, -t0], offset: 0x1);',
      { 'map', 'keyword' }, { 'gpu', 'module' }, { 'reshape_map', 'function.builtin' },
      { 'layout', 'variable.parameter' }, { 'i0', 'constant.builtin' }, { 't0', 'constant.builtin' },
    },
    {
      'kernel scale(a: f32, x: f32[N], y: mut f32[N]) grid(1) {',
      { 'kernel', 'keyword.function' }, { 'scale', 'function' }, { 'a:', 'variable.parameter' },
      { 'f32', 'type.builtin' }, { 'mut', 'keyword.modifier' },
    },
    {
      '    view xs = x via m per warp masked;',
      { 'view', 'keyword' }, { 'warp', 'constant.builtin' }, { 'masked', 'keyword.modifier' },
    },
    {
      '    for i in 0..3 { ys[i] = f32(sqrt(xs[i].x)); }',
      { 'for', 'keyword.repeat' }, { 'f32', 'type.builtin' }, { 'sqrt', 'function.builtin' },
      { 'x)', 'variable.member' },
    },
    { '}' },
    {
      'fn half[S](x: S, n) -> S { let fn = exp(x); half(fn) }',
      { 'fn', 'keyword.function' }, { 'half', 'function' }, { 'S]', 'type' }, { 'x:', 'variable.parameter' },
      { 'S,', 'type' }, { 'n)', 'variable.parameter' }, { '->', 'operator' }, { 'S {', 'type' },
      { 'fn =', 'variable' }, { 'exp', 'function.builtin' }, { 'half(fn', 'function.call' },
    },
    {
      'run scale(a: 2.0, x: arange, y: zeros) with N = 4 expect y == x.reverse(); // why',
      { 'run', 'keyword' }, { 'scale', 'function.call' }, { '2.0', 'number.float' },
      { 'arange', 'constant.builtin' }, { 'reverse', 'function.method.call' }, { 'why', 'comment' },
    },
    { 'map : [1]', { 'map', 'variable' } },
  }, capture)
end)

test('every source has a tree without errors', function()
  for _, path in ipairs(sources()) do
    vim.cmd.edit(path)
    equal(vim.treesitter.get_parser(0):parse()[1]:root():has_error(), false, path)
    vim.cmd('bwipeout!')
  end
end)

test('edits leave the tree that the whole text has', function()
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

test('folds', function()
  harness.file('a.shape', 'kernel f() {\n    for i in 0..3 {\n        a = 1;\n    }\n}\nmap m = a;\nfn g(x) {\n    x\n}')
  vim.wo.foldmethod = 'expr'
  vim.wo.foldexpr = 'v:lua.vim.treesitter.foldexpr()'
  harness.eventually('folds', function()
    vim.cmd('normal! zx')
    return vim.fn.foldlevel(3) == 2 and vim.fn.foldlevel(6) == 0 and vim.fn.foldlevel(8) == 1
  end)
end)

test('every query is right', function()
  for _, name in ipairs({ 'highlights', 'folds', 'locals', 'indents', 'injections' }) do
    local query = assert(vim.treesitter.query.get('shapewright', name), name)
    assert(#query.captures > 0, name)
  end
end)

test('the queries for Helix are right', function()
  for _, name in ipairs({ 'highlights', 'indents', 'injections', 'locals', 'textobjects' }) do
    assert(#helix(name).captures > 0, name)
  end
end)

test('no node has two captures for Helix', function()
  local query = helix('highlights')
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

harness.finish()
