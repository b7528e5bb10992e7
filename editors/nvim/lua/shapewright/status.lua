--- What the server says about itself without being asked.

local M = {}

---@type table<integer, { device: string, state: string, message?: string }>
local states = {}

---@param params { device: string, state: string, message?: string }
local function status(_, params, context)
  states[context.client_id] = params
  vim.api.nvim_exec_autocmds('User', { pattern = 'ShapewrightStatus', data = params, modeline = false })
  vim.cmd.redrawstatus()
end

---@param params { uri: string, name: string, result: table }
local function run_finished(_, params, context)
  require('shapewright.results').finished(params.uri, params.name, params.result)
  require('shapewright.lens').refresh(vim.uri_to_bufnr(params.uri))
  vim.api.nvim_exec_autocmds('User', { pattern = 'ShapewrightRunFinished', data = params, modeline = false })
end

--- The server wants lenses to be asked for again.
local function renew_lenses(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  for buffer in pairs(client and client.attached_buffers or {}) do
    require('shapewright.lens').refresh(buffer)
  end
  return vim.NIL
end

M.handlers = {
  ['workspace/codeLens/refresh'] = renew_lenses,
  ['shapewright/status'] = status,
  ['shapewright/runFinished'] = run_finished,
}

--- What the server is doing, for a statusline: `cpu`, `cpu: running scale`; empty where no server is attached.
---@return string
function M.text()
  local client = require('shapewright.client').of_buffer(0)
  if not client then
    return ''
  end
  local state = states[client.id]
  if not state then
    return 'starting'
  end
  if state.message then
    return ('%s: %s'):format(state.device, state.message)
  end
  return state.state == 'ready' and state.device or ('%s: %s'):format(state.device, state.state)
end

--- Forgets a client that has ended.
---@param client_id integer
function M.forget(client_id)
  states[client_id] = nil
end

return M
