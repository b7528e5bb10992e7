--- `gq` asks the server for code, and leaves comments to Neovim.

local M = {}

---@return boolean
local function is_comment(lnum)
  return vim.fn.getline(lnum):match('^%s*//') ~= nil
end

--- For 'formatexpr': 0 where the server formatted the lines, 1 where Neovim is to do it.
---@return integer
function M.formatexpr()
  -- Text that is typed beyond 'textwidth' is broken by Neovim, as a comment.
  if vim.list_contains({ 'i', 'R', 'ic', 'ix' }, vim.fn.mode()) or is_comment(vim.v.lnum) then
    return 1
  end
  local client = require('shapewright.client').of_buffer(0)
  if not client or not client.server_capabilities.documentRangeFormattingProvider then
    return 1
  end
  return vim.lsp.formatexpr()
end

return M
