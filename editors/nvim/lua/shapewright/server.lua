--- The server as a program: where it is, how old it is, and the client's configuration for it.

local client = require('shapewright.client')
local config = require('shapewright.config')

local M = {}

--- The oldest version whose server speaks this plugin's protocol.
M.OLDEST = '0.1.0'

--- The program `shapewright`.
---@return string
function M.program()
  local path = config.get().server.path
  return path and vim.fn.expand(path) or 'shapewright'
end

--- Whether the program is there, and if not, what to do.
---@return boolean
---@return string? advice
function M.found()
  local program = M.program()
  if vim.fn.executable(program) == 1 then
    return true
  end
  return false,
    ('the server `%s` is not an executable program; install `shapewright` on the path, or give its place to '):format(program)
      .. 'setup(): `server = { path = "…" }`'
end

--- What is said where a program or a server of some version is too old; nothing where it is not.
---@param version string
---@return string?
function M.too_old(version)
  local parsed = vim.version.parse(version)
  if not parsed then
    return ('the server calls its version `%s`, which is no version; %s or later is needed'):format(version, M.OLDEST)
  end
  if vim.version.lt(parsed, M.OLDEST) then
    return ('the server has version %s, which is too old; %s or later is needed'):format(tostring(parsed), M.OLDEST)
  end
end

---@param running vim.lsp.Client
---@param answer lsp.InitializeResult
local function on_init(running, answer)
  local version = vim.tbl_get(answer, 'serverInfo', 'version')
  local old = version and M.too_old(version)
  if old then
    client.notify(old, vim.log.levels.WARN)
  end
end

---@param code integer
---@param signal integer
local function on_exit(code, signal)
  -- 143 is how a program ends that was asked to.
  if code ~= 0 and code ~= 143 and signal == 0 then
    vim.schedule(function()
      client.fail(('the server ended with status %d; `:checkhealth shapewright` may say why'):format(code))
    end)
  end
end

--- What this client can do: all that Neovim can, and lenses and diagnostics that the server asks to renew.
---@return lsp.ClientCapabilities
local function capabilities()
  return vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), {
    workspace = { codeLens = { refreshSupport = true }, diagnostics = { refreshSupport = true } },
  })
end

--- The configuration of the client, for |vim.lsp.start()| and |vim.lsp.config()|.
---@return vim.lsp.ClientConfig
function M.config()
  local options = config.get()
  return {
    name = client.NAME,
    cmd = function(dispatchers)
      return vim.lsp.rpc.start({ M.program(), 'lsp' }, dispatchers)
    end,
    settings = { shapewright = options.settings },
    init_options = {
      lenses = options.settings.lens.enabled,
      runAllowed = options.run_allowed,
      settings = options.settings,
    },
    capabilities = capabilities(),
    handlers = require('shapewright.status').handlers,
    on_init = on_init,
    on_exit = on_exit,
  }
end

local told = false

--- Whether the server can be started for a buffer; the user is told once if it cannot.
---@return boolean
function M.ready()
  local found, advice = M.found()
  if not found and not told then
    told = true
    client.fail(advice)
  end
  return found
end

--- The folder that a buffer's server works in.
---@param buffer integer
---@return string?
function M.root(buffer)
  return vim.fs.root(buffer, { '.git' }) or vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
end

--- Starts the server for a buffer, or attaches the one that runs.
---@param buffer integer
function M.start(buffer)
  if vim.bo[buffer].buftype ~= '' or not M.ready() then
    return
  end
  -- From Neovim 0.11 on, the user may have changed the configuration with |vim.lsp.config()|.
  local changed = vim.fn.has('nvim-0.11') == 1 and vim.lsp.config[client.NAME]
  local configuration = changed and vim.deepcopy(changed) or M.config()
  if type(configuration.root_dir) ~= 'string' then
    configuration.root_dir = M.root(buffer)
  end
  vim.lsp.start(configuration, { bufnr = buffer })
end

return M
