--- `:checkhealth shapewright`

local health = vim.health
local server = require('shapewright.server')

local M = {}

--- What a command prints, or why it printed nothing.
---@param arguments string[]
---@return string?
---@return string? problem
local function output(arguments)
  local started, process = pcall(vim.system, { server.program(), unpack(arguments) }, { text = true, timeout = 10000 })
  if not started then
    return nil, tostring(process)
  end
  local done = process:wait()
  if done.code ~= 0 then
    return nil, ('it ended with status %d: %s'):format(done.code, vim.trim(done.stderr))
  end
  return done.stdout
end

local function check_editor()
  health.start('Neovim')
  health.ok('Neovim ' .. tostring(vim.version()))
  if require('shapewright.parser').installed() then
    health.ok('the tree-sitter parser is installed')
  else
    health.info('no tree-sitter parser; the syntax file colours instead. `:ShapewrightInstallParser` builds it')
  end
end

--- Whether the program is there and new enough.
---@return boolean
local function check_program()
  local found, advice = server.found()
  if not found then
    health.error(advice or '')
    return false
  end
  health.ok(('found `%s`'):format(vim.fn.exepath(server.program())))
  local version, problem = output({ '--version' })
  if not version then
    health.error(('`%s --version` failed: %s'):format(server.program(), problem), 'is it another program of this name?')
    return false
  end
  version = vim.trim(version)
  local old = server.too_old(version:gsub('^shapewright%s+', ''))
  if old then
    health.error(old, 'install a newer `shapewright`')
    return false
  end
  health.ok(version)
  local _, unknown = output({ 'lsp', '--help' })
  if unknown then
    health.error('this program has no language server: `shapewright lsp --help` fails', 'install a newer `shapewright`')
    return false
  end
  return true
end

local function check_devices()
  local text, problem = output({ 'devices', '--format', 'json' })
  local parsed, answer = pcall(vim.json.decode, text or '')
  if not parsed then
    health.error('`shapewright devices` failed: ' .. (problem or 'its answer is no JSON'))
    return
  end
  for _, device in ipairs(answer.devices) do
    if device.available then
      health.ok(('%s: %s'):format(device.name, device.description))
    else
      health.info(('%s is not available: %s'):format(device.name, device.missing or device.description))
    end
  end
end

local function check_client()
  local clients = vim.lsp.get_clients({ name = require('shapewright.client').NAME })
  if #clients == 0 then
    health.info('no server is running; open a `.shape` file, and call `require("shapewright").setup()` in your configuration')
  end
  for _, client in ipairs(clients) do
    health.ok(('a server is running in %s, for %d buffers'):format(
      client.config.root_dir or 'no folder',
      vim.tbl_count(client.attached_buffers)
    ))
  end
end

function M.check()
  check_editor()
  health.start('Server')
  if check_program() then
    health.start('Devices')
    check_devices()
  end
  health.start('Client')
  check_client()
end

return M
