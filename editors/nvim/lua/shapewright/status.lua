--- What the server says about itself without being asked.

local M = {}

---@type table<integer, { device: string, state: string, message?: string, libraries?: string }>
local states = {}

---@param params { device: string, state: string, message?: string, libraries?: string }
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

--- Makes a handler that renews something in each of the client's buffers.
---@param renew fun(client: vim.lsp.Client, buffer: integer)
local function renewing(renew)
  return function(_, _, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    for buffer in pairs(client and client.attached_buffers or {}) do
      if client and vim.api.nvim_buf_is_loaded(buffer) then
        renew(client, buffer)
      end
    end
    return vim.NIL
  end
end

---@param client vim.lsp.Client
---@param buffer integer
local function renew_diagnostics(client, buffer)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  require('shapewright.client').request(client, 'textDocument/diagnostic', params, nil, buffer)
end

local function renew_lenses(_, buffer)
  require('shapewright.lens').refresh(buffer)
end

M.handlers = {
  ['workspace/codeLens/refresh'] = renewing(renew_lenses),
  -- Neovim itself asks for diagnostics after an edit only, not after a run.
  ['workspace/diagnostic/refresh'] = renewing(renew_diagnostics),
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
