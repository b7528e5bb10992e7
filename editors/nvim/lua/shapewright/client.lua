--- The language server's client: which one it is, and how to ask it.

local M = {}

M.NAME = 'shapewright'

--- The client of a buffer.
---@param buffer integer
---@return vim.lsp.Client?
function M.of_buffer(buffer)
  return vim.lsp.get_clients({ bufnr = buffer, name = M.NAME })[1]
end

--- The client of the current buffer, or of any other.
---@return vim.lsp.Client?
function M.any()
  return M.of_buffer(0) or vim.lsp.get_clients({ name = M.NAME })[1]
end

--- Tells the user something.
---@param message string
---@param level? integer
function M.notify(message, level)
  vim.notify('shapewright: ' .. message, level or vim.log.levels.INFO)
end

--- Tells the user what went wrong.
---@param message string
function M.fail(message)
  M.notify(message, vim.log.levels.ERROR)
end

--- Sends a request. Clients' methods take themselves as an argument from Neovim 0.11 on.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param handler? fun(err?: lsp.ResponseError, result: any) Neovim's own where there is none
---@param buffer? integer
function M.request(client, method, params, handler, buffer)
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, handler, buffer)
  else
    client.request(method, params, handler, buffer)
  end
end

--- Ends a client.
---@param client vim.lsp.Client
function M.stop(client)
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop()
  else
    client.stop()
  end
end

--- Asks the server to execute a command, and hands its answer on. An error is shown.
---@param command string without `shapewright.`
---@param arguments table[]
---@param done fun(result: any)
---@param client? vim.lsp.Client
function M.execute(command, arguments, done, client)
  client = client or M.any()
  if not client then
    M.fail('no server is running for this buffer; `:checkhealth shapewright` says why')
    return
  end
  local params = { command = 'shapewright.' .. command, arguments = arguments }
  M.request(client, 'workspace/executeCommand', params, function(err, result)
    if err then
      M.fail(err.message)
    else
      done(result)
    end
  end)
end

return M
