--- Shapewright for Neovim. See |shapewright|.

local M = {}

--- Sets the options and starts the server for every file of Shapewright, open or opened later.
---@param options? table see |shapewright-setup|
function M.setup(options)
  local client = require('shapewright.client')
  for _, problem in ipairs(require('shapewright.config').set(options)) do
    client.fail(problem .. '; its default is used')
  end
  if vim.fn.has('nvim-0.11') == 1 then
    -- The options may have changed since Neovim read `lsp/shapewright.lua`.
    local server = require('shapewright.server').config()
    vim.lsp.config(client.NAME, { settings = server.settings, init_options = server.init_options })
    vim.lsp.enable(client.NAME)
    return
  end
  local start = require('shapewright.server').start
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('shapewright.start', { clear = true }),
    pattern = 'shapewright',
    callback = function(event)
      start(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'shapewright' then
      start(buffer)
    end
  end
end

--- What the server is doing, for a statusline.
---@return string
function M.status()
  return require('shapewright.status').text()
end

return M
