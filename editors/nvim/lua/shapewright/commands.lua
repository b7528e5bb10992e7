--- What the user's commands and the lenses do.

local client = require('shapewright.client')
local results = require('shapewright.results')
local window = require('shapewright.window')

local M = {}

--- Where a text is shown: a window of its own beside the file, or below it.
local BESIDE = { split = 'right', win = 0 }
local BELOW = { split = 'below', win = -1, height = 12 }

---@alias shapewright.Target { uri: string, name?: string, device?: string, claim?: boolean }

--- The current file, with the name of an item in it.
---@param name? string
---@return shapewright.Target
local function target(name)
  return { uri = vim.uri_from_bufnr(0), name = name ~= '' and name or nil }
end

--- The name of the kernel or map that a line declares.
---@param line string
---@return string?
local function declared_in(line)
  return line:match('^%s*kernel%s+([%w_-]+)') or line:match('^%s*map%s+([%w_-]+)%s*=')
end

--- The name of the kernel or map that the cursor is in, or of the one before.
---@return string?
local function emitted_here()
  for lnum = vim.fn.line('.'), 1, -1 do
    local line = vim.fn.getline(lnum)
    local name = declared_in(line) or line:match('^%s*run%s+([%w_-]+)%s*%(')
    if name then
      return name
    end
  end
end

--- The code of the diagnostic at the cursor, or of the first one in its line.
---@return string?
local function code_here()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local first
  for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = row - 1 })) do
    if diagnostic.code then
      if diagnostic.col <= column and column < diagnostic.end_col then
        return tostring(diagnostic.code)
      end
      first = first or tostring(diagnostic.code)
    end
  end
  return first
end

--- Runs an item, or all of the file, and shows what it gave.
---@param what shapewright.Target
---@param from? vim.lsp.Client
function M.run(what, from)
  local before = results.told(what.uri)
  client.execute('run', { what }, function(answer)
    local runs = answer and answer.runs or {}
    if #runs == 0 then
      client.notify('nothing was run')
    elseif what.name and #runs == 1 then
      results.finished(what.uri, what.name, runs[1])
      results.open()
    else
      results.show_file(what.uri, runs, before)
    end
  end, from)
end

--- The lines of a picture in text; nil where an item has none.
---@return string[]?
local function picture_lines(answer)
  return type(answer.text) == 'string' and vim.split(vim.trim(answer.text), '\n') or nil
end

--- Shows the facts of an item beside the file.
local function show_facts(answer)
  local lines = { '# ' .. answer.title, '' }
  vim.list_extend(lines, vim.split(answer.markdown, '\n'))
  local picture = picture_lines(answer)
  if picture then
    vim.list_extend(lines, { '', '```text' })
    vim.list_extend(lines, picture)
    lines[#lines + 1] = '```'
  end
  window.show(window.fill('show', lines, 'markdown'), BESIDE)
end

--- Shows an item: its facts, its picture in text.
---@param what shapewright.Target
---@param from? vim.lsp.Client
function M.show(what, from)
  client.execute('show', { what }, show_facts, from)
end

--- Shows the picture of a map, of a kernel's views or of a refuted claim in a window above the text. An item without a
--- picture has its facts shown.
---@param what shapewright.Target
---@param from? vim.lsp.Client
function M.picture(what, from)
  client.execute('show', { what }, function(answer)
    local lines = picture_lines(answer)
    if lines then
      window.float(window.fill('picture', lines, 'shapewright-picture'), answer.title)
    else
      show_facts(answer)
    end
  end, from)
end

--- Shows the CUDA C++ of a kernel or a map.
---@param what shapewright.Target
function M.emit(what)
  client.execute('emit', { vim.tbl_extend('keep', what, { to = 'cuda' }) }, function(answer)
    window.show(window.fill(answer.title, vim.split(answer.text, '\n'), 'cuda'), BESIDE)
  end)
end

--- Shows the page of a diagnostic.
---@param code string
function M.explain(code)
  client.execute('explain', { { code = code } }, function(answer)
    window.show(window.fill('explain', vim.split(answer.markdown, '\n'), 'markdown'), BESIDE)
  end)
end

--- A device as lines for people.
---@param device table
---@return string[]
local function device_lines(device)
  local lines = { ('%s %s: %s'):format(device.available and '✓' or '✗', device.name, device.description) }
  if device.missing then
    lines[#lines + 1] = '    ' .. device.missing
  end
  return lines
end

--- Shows what can run here.
function M.devices()
  client.execute('devices', {}, function(answer)
    local lines = vim.iter(answer.devices):map(device_lines):flatten():totable()
    window.show(window.fill('devices', lines, 'shapewright-devices'), BELOW)
  end)
end

--- Stops the run that is going on.
function M.cancel()
  client.execute('cancel', {}, function() end)
end

--- Ends the server and starts it again for all buffers that had it.
function M.restart()
  local buffers = {}
  for _, running in ipairs(vim.lsp.get_clients({ name = client.NAME })) do
    vim.list_extend(buffers, vim.tbl_keys(running.attached_buffers))
    client.stop(running)
  end
  if #buffers == 0 then
    buffers = { vim.api.nvim_get_current_buf() }
  end
  local gone = vim.wait(3000, function()
    return #vim.lsp.get_clients({ name = client.NAME }) == 0
  end, 20)
  if not gone then
    client.fail('the server does not end; it is stopped by force')
    for _, running in ipairs(vim.lsp.get_clients({ name = client.NAME })) do
      running.rpc.terminate()
    end
  end
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'shapewright' then
      require('shapewright.server').start(buffer)
    end
  end
end

---@param line vim.api.keyset.create_user_command.command_args
local function run_command(line)
  M.run(target(line.args))
end

local function run_gpu_command(line)
  M.run(vim.tbl_extend('error', target(line.args), { device = 'cuda:0' }))
end

local function cuda_command(line)
  local name = line.args ~= '' and line.args or emitted_here()
  if not name then
    client.fail('there is no kernel or map before the cursor; give its name')
    return
  end
  M.emit(target(name))
end

local function show_command(line)
  local name = line.args ~= '' and line.args or vim.fn.expand('<cword>')
  M.show(target(name))
end

local function picture_command(line)
  local name = line.args ~= '' and line.args or vim.fn.expand('<cword>')
  M.picture(target(name))
end

local function explain_command(line)
  local code = line.args ~= '' and line.args or code_here()
  if not code then
    client.fail('there is no diagnostic in this line; give a code, such as `rank-mismatch`')
    return
  end
  M.explain(code)
end

--- The words that start like what is typed.
---@param words string[]
---@param typed string
---@return string[]
local function starting(words, typed)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, typed)
  end, words)
end

local function complete_run(typed)
  return starting(require('shapewright.lens').names(0), typed)
end

--- The names of this file's kernels and maps.
---@param typed string
local function complete_named(typed)
  local names = {}
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    names[#names + 1] = declared_in(line)
  end
  return starting(names, typed)
end

local function complete_code(typed)
  local codes = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    if diagnostic.code and not vim.list_contains(codes, diagnostic.code) then
      codes[#codes + 1] = diagnostic.code
    end
  end
  return starting(codes, typed)
end

--- The user's commands: what each does, in words and in fact, and how its argument is completed.
M.user_commands = {
  Run = { 'Run this file, or one run', run_command, complete_run },
  RunGpu = { 'Run this file, or one run, on the GPU', run_gpu_command, complete_run },
  Cancel = { 'Stop the run that is going on', M.cancel },
  Cuda = { 'Show the CUDA C++ of a kernel or a map', cuda_command, complete_named },
  Show = { 'Show the facts of an item', show_command, complete_named },
  Picture = { 'Show the picture of a map or of a kernel\'s views', picture_command, complete_named },
  Explain = { 'Show the page of a diagnostic', explain_command, complete_code },
  Devices = { 'Show what can run here', M.devices },
  Results = { 'Show the window with results', results.open },
  Restart = { 'Start the server again', M.restart },
  InstallParser = {
    'Build the tree-sitter parser',
    function()
      require('shapewright.parser').install()
    end,
  },
}

return M
