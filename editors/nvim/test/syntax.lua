-- Colours from the syntax file, without a parser.

local harness = require('harness')
local test, equal = harness.test, harness.equal

require('shapewright.config').set({ treesitter = false })

--- The syntax group of a place.
local function group(lnum, column)
  local name = vim.fn.synIDattr(vim.fn.synID(lnum, column, 1), 'name')
  return (name:gsub('^shapewright', ''))
end

--- Insists on the syntax groups of words.
local function coloured(lines)
  harness.words(lines, group)
  equal(vim.b.current_syntax, 'shapewright')
end

test('items', function()
  coloured({
    { 'use "other.shape";', { 'use', 'Include' }, { 'other', 'String' } },
    { 'mdspan<1> s1 : [3];', { 'mdspan', 'Keyword' }, { 's1', 'ShapeName' } },
    { 'new-shape0 : shape [(0) / 2, ?];', { 'new-shape0', 'ShapeName' }, { 'shape [', '' }, { '?', 'Hole' } },
    { 'dim M, N where M % 64 == 0;', { 'dim', 'Keyword' }, { 'where', 'Keyword' }, { '==', 'Operator' } },
    { 'const B = 0x40;', { '0x40', 'Integer' } },
    {
      'map m = gpu::reshape_map!([3] | [4] => layout: [i0, -t0], offset: 4);',
      { 'map', 'Keyword' }, { 'gpu', 'Namespace' }, { 'reshape_map', 'Macro' }, { 'layout', 'Part' },
      { 'i0', 'Entry' }, { 't0', 'Entry' },
    },
    { 'assert |shape| == 8192 && m(1) == _;', { 'assert', 'Keyword' }, { '8192', 'Integer' }, { '_', 'Hole' } },
    { 'show 1e-6 + 2.5;', { 'show', 'Keyword' }, { '1e-6', 'Float' }, { '2.5', 'Float' } },
    {
      'run scale(a: 2.0, x: arange, y: npy("y.npy")) with M = 4 expect y == 2.0 * x within 1e-5 save y: "y.npy";',
      { 'run', 'Keyword' }, { 'scale', 'RunName' }, { 'arange', 'Initial' }, { 'npy', 'Builtin' },
      { 'with', 'Keyword' }, { 'expect', 'Keyword' }, { 'within', 'Keyword' }, { 'save', 'Keyword' },
    },
  })
end)

test('kernels', function()
  coloured({
    {
      'kernel scale(a: f32, x: f32[N] strided [LD], y: mut f32[N]) grid(1) block(4) {',
      { 'kernel', 'Kernel' }, { 'scale', 'KernelName' }, { 'f32', 'Type' }, { 'strided', 'Modifier' },
      { 'mut', 'Modifier' }, { 'grid', 'Keyword' }, { 'block', 'Keyword' },
    },
    {
      '    view xs = x via strided per warp masked;',
      { 'view', 'Keyword' }, { 'via', 'Keyword' }, { 'strided', '' }, { 'per', 'Keyword' },
      { 'masked', 'Modifier' },
    },
    { '    let mut value: f32 = f32(xs[0] / 2);', { 'let', 'Keyword' }, { 'mut', 'Modifier' }, { 'f32', 'Type' } },
    {
      '    for (i, j) in grid(n, m) { ys[i] += sqrt(xs[i].x); }',
      { 'for', 'Repeat' }, { 'in', 'Repeat' }, { 'sqrt', 'Builtin' }, { 'x);', 'Member' },
      { '+=', 'Operator' },
    },
    {
      '    if value < 0.0 { value = -1.0; } else if value == 1 { value *= 2.0; } else { }',
      { 'if', 'Conditional' }, { 'else', 'Conditional' },
    },
    { '    shared buf : f32[64];', { 'shared', 'Modifier' } },
    { '    async buf[t] = x[t];', { 'async', 'Modifier' } },
    { '}' },
  })
end)

test('functions, loops and arrays', function()
  coloured({
    {
      'fn half[T](x: T, y: f32) -> f32 { exp(x) / y }',
      { 'fn', 'Kernel' }, { 'half', 'KernelName' }, { 'f32', 'Type' }, { '->', 'Operator' }, { 'exp', 'Builtin' },
    },
    { 'fn twice(x) = x * 2;', { 'fn', 'Kernel' }, { 'twice', 'KernelName' }, { '=', 'Operator' } },
    { 'kernel f() {' },
    { '    let mut sums : f32[4, 4] = 0.0;', { 'mut', 'Modifier' }, { 'f32', 'Type' }, { '0.0', 'Float' } },
    { '    fn square(x) = x * x;', { 'fn', 'Kernel' }, { 'square', 'KernelName' } },
    { '    while square(n) > 1 max 8 {', { 'while', 'Repeat' }, { 'square', 'Call' }, { 'max', 'Repeat' } },
    { '        if max(n, 1) > 2 { break; }', { 'max', 'Builtin' }, { 'break', 'Repeat' } },
    { '        continue' , { 'continue', 'Repeat' } },
    { '    }' },
    { '}' },
  })
end)

test('words are names where their meaning is not seen', function()
  coloured({
    { 'map : [1, 2];', { 'map', 'ShapeName' } },
    { 'x : [view, show, layout, if];', { 'view', '' }, { 'show', '' }, { 'layout', '' }, { 'if', '' } },
    { 'show : [2]', { 'show', 'ShapeName' } },
    { 'y : map + block', { 'map', '' }, { 'block', '' } },
    { 'z : map-x', { 'map', '' } },
    { 'fn : [new-fn, fn + 1]', { 'fn', 'ShapeName' }, { 'fn,', '' }, { 'fn +', '' } },
  })
end)

test('comments and strings', function()
  coloured({
    { '/// Doc of map m = 1.', { 'map', 'Documentation' } },
    { '//// No doc.', { 'No', 'Comment' } },
    { 'a : [1]; /* map', { 'map', 'Comment' } },
    { 'm = TODO */ b : [2]', { 'TODO', 'Todo' }, { 'b :', '' }, { '2', 'Integer' } },
    { 'use "// no \\" comment"; c : [1] // yes', { 'comment', 'String' }, { '\\"', 'Escape' }, { 'yes', 'Comment' } },
  })
end)

harness.finish()
