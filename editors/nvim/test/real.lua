-- With the real server, `$SHAPEWRIGHT`: what a person sees in an example.

local harness = require('harness')
local test, equal, holds = harness.test, harness.equal, harness.holds

local program = assert(vim.env.SHAPEWRIGHT, 'SHAPEWRIGHT names the program')

local TEXT = table.concat({
  'shape : [3, 4];',
  'map strided = reshape_map([3] | [4] => layout: [t0, i0]);',
  'kernel scale(a: f32, x: f32[12], y: mut f32[12]) grid(1) block(4) {',
  '    view xs = x via strided;',
  '    view ys = y via strided;',
  '    for i in 0..3 { ys[i] = a * xs[i]; }',
  '}',
  'run scale(a: 2.0, x: arange, y: zeros) expect y == 2.0 * x;',
}, '\n')

--- Opens a file with the real server attached.
local function open(text, settings)
  vim.cmd('silent! %bwipeout!')
  for _, client in ipairs(vim.lsp.get_clients()) do
    require('shapewright.client').stop(client)
  end
  harness.eventually('the end of the server before', function()
    return #vim.lsp.get_clients() == 0
  end)
  require('shapewright.results').clear()
  require('shapewright').setup({ server = { path = program }, settings = settings })
  local buffer = harness.file('a.shape', text or TEXT)
  harness.eventually('the server', function()
    local client = require('shapewright.client').of_buffer(buffer)
    return client and client.initialized
  end)
  return buffer
end

--- The codes of a buffer's diagnostics, once they are these.
local function diagnosed(buffer, codes)
  harness.eventually('the diagnostics ' .. vim.inspect(codes), function()
    local found = vim.tbl_map(function(diagnostic)
      return diagnostic.code
    end, vim.diagnostic.get(buffer))
    return vim.deep_equal(found, codes)
  end)
end

--- The titles of the lenses in a line.
local function titles(buffer, lnum)
  local found = {}
  for _, lens in ipairs(vim.lsp.codelens.get(buffer)) do
    if lens.range.start.line == lnum - 1 and lens.command then
      found[#found + 1] = lens.command.title
    end
  end
  return found
end

--- Chooses the lens of a line with a command.
local function choose_lens(buffer, lnum, command)
  local lens = harness.eventually('the lens ' .. command, function()
    return vim.iter(vim.lsp.codelens.get(buffer)):find(function(each)
      return each.range.start.line == lnum - 1 and each.command and each.command.command == command
    end)
  end)
  vim.lsp.commands[command](lens.command, { client_id = require('shapewright.client').of_buffer(buffer).id, bufnr = buffer })
end

test('health', function()
  open()
  local report = harness.health()
  assert(not report:find('ERROR'), report)
  holds(report, 'cpu: ')
  holds(report, 'a server is running in')
end)

test('a mistake is underlined, and no more once it is gone', function()
  local buffer = open('mdspan<3> s : [64, 32];')
  diagnosed(buffer, { 'rank-mismatch' })
  local diagnostic = vim.diagnostic.get(buffer)[1]
  equal(diagnostic.severity, vim.diagnostic.severity.ERROR)
  equal(diagnostic.lnum, 0)
  vim.api.nvim_buf_set_text(buffer, 0, 7, 0, 8, { '2' })
  diagnosed(buffer, {})
end)

test('a fix is applied', function()
  local buffer = open('mdspan<3> s : [64, 32];')
  diagnosed(buffer, { 'rank-mismatch' })
  vim.fn.cursor(1, 8)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.kind == 'quickfix'
    end,
  })
  diagnosed(buffer, {})
end)

test('formatting', function()
  local buffer = open('a:[1,2];')
  diagnosed(buffer, {})
  vim.lsp.buf.format({ bufnr = buffer, timeout_ms = 20000 })
  equal(harness.text(buffer), 'a : [1, 2];')
end)

test('hover says what a map is', function()
  open()
  vim.fn.cursor(2, 5)
  vim.lsp.buf.hover()
  harness.eventually('the hover window', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local place = vim.api.nvim_win_get_config(window)
      if place.relative ~= '' then
        return harness.text(vim.api.nvim_win_get_buf(window)):find('strided', 1, true)
      end
    end
  end)
end)

test('definition and rename', function()
  local buffer = open()
  diagnosed(buffer, {})
  vim.fn.cursor(4, 22)
  vim.lsp.buf.definition()
  harness.eventually('the definition', function()
    return vim.fn.line('.') == 2
  end)
  vim.lsp.buf.rename('swapped')
  harness.eventually('the new name', function()
    return vim.fn.getline(5) == '    view ys = y via swapped;' and vim.fn.getline(2):find('^map swapped')
  end)
end)

test('inlay hints', function()
  local buffer = open()
  local hints = harness.eventually('hints', function()
    local all = vim.lsp.inlay_hint.get({ bufnr = buffer })
    return #all > 0 and all
  end)
  equal(hints[1].client_id, require('shapewright.client').of_buffer(buffer).id)
end)

test('semantic tokens', function()
  local buffer = open()
  harness.eventually('the token of the kernel', function()
    local tokens = vim.lsp.semantic_tokens.get_at_pos(buffer, 2, 8)
    return tokens and tokens[1] and tokens[1].type == 'function'
  end)
end)

test('a lens runs the kernel', function()
  local buffer = open()
  choose_lens(buffer, 8, 'shapewright.runLens')
  local text = harness.window('results', 'expect passed')
  holds(text, '✓ scale on ')
  holds(text, 'y f32[12] = [0, 2, 4, 6, 8, 10, 12, 14, …]')
  harness.eventually('the result in the lens', function()
    return table.concat(titles(buffer, 8), ' '):find('passed', 1, true)
  end)
end)

test('a lens shows a map', function()
  local buffer = open()
  choose_lens(buffer, 2, 'shapewright.showLens')
  local text = harness.window('picture', 'slot')
  holds(text, '   4   t0 i1  t1 i1  t2 i1  t3 i1')
  vim.cmd.close()
end)

test('a lens shows the views of a kernel', function()
  local buffer = open()
  choose_lens(buffer, 3, 'shapewright.showLens')
  holds(harness.window('picture', 'xs'), 'xs, ys : ')
  vim.cmd.close()
end)

test('a counterexample is shown', function()
  local buffer = open('map m = reshape_map([3] | [4]);\nassert m.covers(13);')
  diagnosed(buffer, { 'assertion-failed' })
  vim.fn.cursor(2, 12)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find('counterexample', 1, true) ~= nil
    end,
  })
  holds(harness.window('picture', '[·]'), 'counterexample: nothing reaches 12')
  vim.cmd.close()
end)

test('a run that fails its expectation', function()
  local buffer = open((TEXT:gsub('expect y == 2.0', 'expect y == 3.0')))
  vim.cmd.ShapewrightRun()
  local text = harness.window('results', 'expect failed')
  holds(text, '✗ scale on ')
  holds(text, 'expected 3 at [1], got 2')
  harness.eventually('a diagnostic on the `expect`', function()
    return vim.iter(vim.diagnostic.get(buffer)):any(function(diagnostic)
      return diagnostic.lnum == 7
    end)
  end)
end)

test('saving runs, where that is set', function()
  local buffer = open(TEXT, { run = { onSave = 'all' } })
  local finished
  vim.api.nvim_create_autocmd('User', {
    pattern = 'ShapewrightRunFinished',
    once = true,
    callback = function(event)
      finished = event.data
    end,
  })
  diagnosed(buffer, {})
  vim.cmd('silent write')
  harness.eventually('the end of the run', function()
    return finished
  end)
  equal(finished.uri, vim.uri_from_bufnr(buffer))
  equal(finished.result.expect, 'passed')
  equal(#vim.api.nvim_list_wins(), 1, 'no window opens')
  vim.cmd.ShapewrightResults()
  holds(harness.window('results', 'scale'), 'expect passed')
end)

test('the server does not run where it must not', function()
  open()
  require('shapewright').setup({ server = { path = program }, run_allowed = false })
  vim.cmd.ShapewrightRestart()
  harness.eventually('the server', function()
    local client = require('shapewright.client').of_buffer(0)
    return client and client.initialized
  end)
  vim.cmd.ShapewrightRun()
  harness.eventually('a refusal', function()
    return vim.iter(harness.messages):any(function(message)
      return message.level == vim.log.levels.ERROR
    end)
  end)
end)

test('the generated CUDA', function()
  open()
  vim.fn.cursor(6, 1)
  vim.cmd.ShapewrightCuda()
  local buffer = harness.eventually('the source', function()
    return vim.iter(vim.api.nvim_list_bufs()):find(function(each)
      return vim.bo[each].filetype == 'cuda'
    end)
  end)
  holds(harness.text(buffer), '__global__')
end)

test('the page of a diagnostic', function()
  open()
  vim.cmd.ShapewrightExplain('rank-mismatch')
  holds(harness.window('explain', 'rank-mismatch'), '#')
end)

test('the devices', function()
  open()
  vim.cmd.ShapewrightDevices()
  holds(harness.window('devices', 'cpu'), '✓ interp: ')
end)

test('the statusline', function()
  open()
  harness.eventually('what `auto` means here', function()
    local status = require('shapewright').status()
    return status:match('^auto %(.+%)$') ~= nil
  end)
end)

harness.finish()
