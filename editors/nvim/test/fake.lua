-- With a server that says what it was told to say: what the plugin sends, and what it makes of the answers.

local harness = require('harness')
local test, equal, holds = harness.test, harness.equal, harness.holds

local fake = harness.root .. '/editors/nvim/test/fake_shapewright'
local log = assert(vim.env.FAKE_LOG)

local TEXT = 'run scale(x: 1);\nrun scale(x: 2);\nmap strided = 1;\nkernel scale() {\n}\n'

--- The messages that the server has received, with a method or a command.
local function received(name)
  local messages = {}
  for _, line in ipairs(vim.uv.fs_stat(log) and vim.fn.readfile(log) or {}) do
    local message = vim.json.decode(line)
    if message.method == name or vim.tbl_get(message, 'params', 'command') == name then
      messages[#messages + 1] = message
    end
  end
  return messages
end

--- The last such message, once it has come.
local function sent(name)
  return harness.eventually('the message ' .. name, function()
    local messages = received(name)
    return messages[#messages]
  end).params
end

--- Starts afresh, with a file open.
local function open(options)
  vim.cmd('silent! %bwipeout!')
  for _, client in ipairs(vim.lsp.get_clients()) do
    require('shapewright.client').stop(client)
  end
  harness.eventually('the end of the server before', function()
    return #vim.lsp.get_clients() == 0
  end)
  vim.fn.writefile({}, log)
  require('shapewright.results').clear()
  require('shapewright').setup(vim.tbl_deep_extend('force', { server = { path = fake } }, options or {}))
  local buffer = harness.file('a.shape', TEXT)
  harness.eventually('the server', function()
    local client = require('shapewright.client').of_buffer(buffer)
    return client and client.initialized
  end)
  sent('textDocument/didOpen')
  return buffer
end

--- Chooses the lens in a line.
local function choose_lens(buffer, lnum)
  harness.eventually('lenses', function()
    return #vim.lsp.codelens.get(buffer) == 3
  end)
  vim.fn.cursor(lnum, 1)
  vim.lsp.codelens.run()
end

test('the server learns what the client can do and what the user has set', function()
  open({ settings = { run = { onSave = 'changed', device = 'interp' } }, run_allowed = false })
  local options = sent('initialize').initializationOptions
  equal(options.lenses, true)
  equal(options.runAllowed, false)
  equal(options.settings, {
    run = { onSave = 'changed', device = 'interp', timeLimit = 60 },
    inlayHints = { enabled = true },
    lens = { enabled = true },
    check = { target = vim.NIL },
  })
  harness.eventually('the answer to workspace/configuration', function()
    for _, line in ipairs(vim.fn.readfile(log)) do
      local message = vim.json.decode(line)
      if message.id == 'settings' then
        equal(message.result, { options.settings })
        return true
      end
    end
  end)
end)

test('the server works in the folder of the repository, or of the file', function()
  local buffer = open()
  local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
  equal(require('shapewright.client').of_buffer(buffer).config.root_dir, folder)
  equal(require('shapewright.server').root(vim.fn.bufadd(harness.root .. '/examples/saxpy.shape')), harness.root)
end)

test('diagnostics, hover and hints', function()
  local buffer = open()
  local diagnostics = harness.eventually('diagnostics', function()
    local all = vim.diagnostic.get(buffer)
    return #all > 0 and all
  end)
  equal(diagnostics[1].code, 'rank-mismatch')
  equal(vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }), true)
  harness.eventually('an inlay hint', function()
    return #vim.lsp.inlay_hint.get({ bufnr = buffer }) == 1
  end)
  vim.lsp.buf.hover()
  harness.eventually('the hover window', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if harness.text(vim.api.nvim_win_get_buf(window)):find('f32[12]', 1, true) then
        return true
      end
    end
  end)
end)

test('hints and lenses can be switched off', function()
  local buffer = open({ settings = { inlayHints = { enabled = false }, lens = { enabled = false } } })
  equal(sent('initialize').initializationOptions.lenses, false)
  harness.eventually('diagnostics', function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  equal(vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }), false)
  equal(received('textDocument/codeLens'), {})
  equal(received('textDocument/inlayHint'), {})
end)

test('a lens runs, and the result is shown', function()
  local buffer = open()
  choose_lens(buffer, 1)
  local text = harness.window('results', 'scale with N = 12 on cpu')
  equal(sent('shapewright.run').arguments, { { uri = vim.uri_from_bufnr(buffer), name = 'scale#1' } })
  equal(text, table.concat({
    '✗ scale with N = 12 on cpu: 83.8 µs · y f32[12] = [0, 2, 4, 6, 8, 10, 12, 14, …] · expect failed',
    '    expected 6 at [3], got 7.5, the first of 4 wrong elements',
  }, '\n'))
  equal(vim.api.nvim_get_current_buf(), buffer, 'the cursor stays in the file')
  equal(vim.bo[vim.fn.bufnr('shapewright://results')].buftype, 'nofile')
end)

test('a lens on the GPU says what is missing', function()
  local buffer = open()
  choose_lens(buffer, 2)
  local shown = harness.shown('libcuda.so.1 not found')
  equal(shown.level, vim.log.levels.ERROR)
  equal(sent('shapewright.run').arguments[1].device, 'cuda:0')
end)

test('a lens shows a picture above the text', function()
  local buffer = open()
  choose_lens(buffer, 3)
  local text = harness.window('picture', 't0 t1')
  equal(text, 'slot  0  1\n   0  t0 t1')
  equal(sent('shapewright.show').arguments, { { uri = vim.uri_from_bufnr(buffer), name = 'strided' } })
  local place = vim.api.nvim_win_get_config(0)
  equal({ place.relative, place.width, place.height }, { 'editor', 11, 2 })
  -- A second one takes the place of the first.
  vim.cmd.ShapewrightPicture('other')
  harness.eventually('the title', function()
    return vim.api.nvim_win_get_config(0).title[1][1] == ' other '
  end)
  vim.api.nvim_feedkeys('q', 'xt', false)
  equal(vim.api.nvim_win_get_config(0).relative, '')
end)

test('an item without a picture has its facts shown', function()
  open()
  vim.cmd.ShapewrightPicture('shape')
  harness.window('show', '**shape**')
end)

test('lenses are asked for again after an edit', function()
  local buffer = open()
  harness.eventually('lenses', function()
    return #vim.lsp.codelens.get(buffer) == 3
  end)
  local before = #received('textDocument/codeLens')
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { '// one' })
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = buffer })
  harness.eventually('another request for lenses', function()
    return #received('textDocument/codeLens') > before
  end)
end)

test('lenses are asked for again when the server wants it', function()
  local buffer = open()
  equal(sent('initialize').capabilities.workspace.codeLens.refreshSupport, true)
  harness.eventually('lenses', function()
    return #vim.lsp.codelens.get(buffer) == 3
  end)
  local before = #received('textDocument/codeLens')
  -- Without the plugin's own reason to ask.
  vim.api.nvim_clear_autocmds({ group = 'shapewright.lens.' .. buffer })
  vim.cmd('silent write')
  harness.eventually('another request for lenses', function()
    return #received('textDocument/codeLens') > before
  end)
end)

test(':ShapewrightRun runs the file', function()
  local buffer = open()
  vim.cmd.ShapewrightRun()
  local text = harness.window('results', 'other on cpu')
  equal(sent('shapewright.run').arguments, { { uri = vim.uri_from_bufnr(buffer) } })
  equal(#vim.split(text, '\n'), 2)
  holds(text, '✓ scale with N = 12 on cpu')
  -- Running again replaces what was there.
  vim.cmd.ShapewrightRun()
  harness.eventually('the second answer', function()
    return #received('shapewright.run') == 2
  end)
  vim.cmd.ShapewrightResults()
  equal(#vim.split(harness.window('results', 'other'), '\n'), 2)
end)

test(':ShapewrightRun with a name, which is completed', function()
  local buffer = open()
  harness.eventually('lenses', function()
    return #vim.lsp.codelens.get(buffer) == 3
  end)
  equal(vim.fn.getcompletion('ShapewrightRun sc', 'cmdline'), { 'scale#1' })
  vim.cmd.ShapewrightRun('scale#1')
  harness.window('results', 'expect failed')
end)

test(':ShapewrightRunGpu', function()
  open()
  vim.cmd.ShapewrightRunGpu()
  harness.shown('libcuda.so.1 not found')
  equal(sent('shapewright.run').arguments[1].device, 'cuda:0')
end)

test('runs on save are told, and change the window only where it is open', function()
  local buffer = open()
  local before = #vim.api.nvim_list_wins()
  local told
  vim.api.nvim_create_autocmd('User', {
    pattern = 'ShapewrightRunFinished',
    once = true,
    callback = function(event)
      told = event.data.name
    end,
  })
  -- As if the server had run by itself: the answer to the request is not looked at.
  local client = require('shapewright.client').of_buffer(buffer)
  require('shapewright.client').request(client, 'workspace/executeCommand', {
    command = 'shapewright.run',
    arguments = { { uri = vim.uri_from_bufnr(buffer), name = 'scale#2' } },
  }, function() end)
  harness.eventually('the event', function()
    return told == 'scale#2'
  end)
  equal(#vim.api.nvim_list_wins(), before)
  vim.cmd.ShapewrightResults()
  holds(harness.window('results', 'scale'), 'expect failed')
end)

test(':ShapewrightCuda shows the kernel that the cursor is in', function()
  local buffer = open()
  vim.fn.cursor(5, 1)
  vim.cmd.ShapewrightCuda()
  harness.window('scale.cu', 'int a;')
  equal(sent('shapewright.emit').arguments, { { uri = vim.uri_from_bufnr(buffer), name = 'scale', to = 'cuda' } })
  equal(vim.bo[vim.fn.bufnr('shapewright://scale.cu')].filetype, 'cuda')
  equal(vim.fn.getcompletion('ShapewrightCuda s', 'cmdline'), { 'strided', 'scale' })
  equal(vim.fn.getcompletion('ShapewrightCuda sc', 'cmdline'), { 'scale' })
end)

test(':ShapewrightCuda shows the map that the cursor is in', function()
  local buffer = open()
  vim.fn.cursor(3, 1)
  vim.cmd.ShapewrightCuda()
  local wanted = { { uri = vim.uri_from_bufnr(buffer), name = 'strided', to = 'cuda' } }
  equal(sent('shapewright.emit').arguments, wanted)
end)

test(':ShapewrightExplain explains the diagnostic in the line, or a code', function()
  local buffer = open()
  harness.eventually('diagnostics', function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  vim.fn.cursor(1, 1)
  vim.cmd.ShapewrightExplain()
  harness.window('explain', '# rank-mismatch')
  vim.cmd.ShapewrightExplain('race')
  harness.window('explain', '# race')
  equal(vim.fn.getcompletion('ShapewrightExplain ', 'cmdline'), { 'rank-mismatch' })
  vim.fn.cursor(4, 1)
  vim.cmd.ShapewrightExplain()
  harness.shown('there is no diagnostic in this line')
end)

test(':ShapewrightShow shows the item under the cursor', function()
  open()
  vim.fn.cursor(3, 6)
  vim.cmd.ShapewrightShow()
  harness.window('show', '**strided**')
  harness.window('show', '```text\nslot  0  1')
end)

test(':ShapewrightDevices', function()
  open()
  vim.cmd.ShapewrightDevices()
  equal(
    harness.window('devices', 'cpu'),
    '✓ cpu: A processor\n✗ cuda:0: NVIDIA GPU\n    libcuda.so.1 not found'
  )
end)

test(':ShapewrightCancel', function()
  open()
  vim.cmd.ShapewrightCancel()
  sent('shapewright.cancel')
end)

test(':ShapewrightRestart ends the server and starts it again', function()
  local buffer = open()
  local before = require('shapewright.client').of_buffer(buffer).id
  vim.cmd.ShapewrightRestart()
  harness.eventually('another server', function()
    local client = require('shapewright.client').of_buffer(buffer)
    return client and client.id ~= before and client.initialized
  end)
  equal(#received('exit'), 1)
  equal(harness.messages, {})
end)

test('a second file shares the server', function()
  local buffer = open()
  local first = require('shapewright.client').of_buffer(buffer).id
  local other = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer)) .. '/b.shape'
  vim.cmd.edit(other)
  harness.eventually('the server', function()
    local client = require('shapewright.client').of_buffer(0)
    return client and client.id == first
  end)
end)

test('the statusline says what the server does', function()
  local buffer = open()
  local status = require('shapewright').status
  harness.eventually('ready', function()
    return status() == 'cpu'
  end)
  choose_lens(buffer, 1)
  harness.eventually('running', function()
    return status() == 'cpu: running scale'
  end)
  vim.cmd.new()
  equal(status(), '')
end)

test('gq formats code with the server, and comments without', function()
  local buffer = open()
  vim.fn.cursor(1, 1)
  vim.cmd.normal('gqq')
  equal(vim.fn.getline(1), '// formatted')
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { '// ' .. ('word '):rep(40) })
  vim.fn.cursor(1, 1)
  vim.cmd.normal('gqq')
  equal(vim.fn.line('$'), 2)
end)

test('health', function()
  open()
  local report = harness.health()
  holds(report, 'found `' .. fake .. '`')
  holds(report, 'shapewright 0.1.0')
  holds(report, 'cpu: A processor')
  holds(report, 'cuda:0 is not available: libcuda.so.1 not found')
  holds(report, 'a server is running in')
  assert(not report:find('ERROR'), report)
end)

test('a wrong option is named when the plugin starts', function()
  open({ settings = { run = { onSave = 'yes' } } })
  harness.shown('`settings.run.onSave` must be one of off, changed, all, not "yes"; its default is used')
  equal(sent('initialize').initializationOptions.settings.run.onSave, 'off')
end)

test('the start of Neovim 0.10', function()
  local buffer = open()
  local client = require('shapewright.client')
  client.stop(client.of_buffer(buffer))
  harness.eventually('the end of the server', function()
    return not client.of_buffer(buffer)
  end)
  require('shapewright.server').start(buffer)
  harness.eventually('the server', function()
    local started = client.of_buffer(buffer)
    return started and started.initialized
  end)
end)

test('a server that is too old', function()
  vim.env.FAKE_VERSION = '0.0.9'
  open()
  harness.shown('the server has version 0.0.9, which is too old; 0.1.0 or later is needed')
  holds(harness.health(), 'the server has version 0.0.9, which is too old; 0.1.0 or later is needed')
  vim.env.FAKE_VERSION = nil
end)

harness.finish()
