-- For |vim.lsp.enable()| of Neovim 0.11. It reads the options of `require('shapewright').setup()` when the first
-- buffer is opened.

local server = require('shapewright.server')

return vim.tbl_extend('error', server.config(), {
  filetypes = { 'shapewright' },
  -- Without a server nothing is started, and the user is told once.
  root_dir = function(buffer, start)
    if server.ready() then
      start(server.root(buffer))
    end
  end,
})
