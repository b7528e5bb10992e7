if vim.g.loaded_shapewright then
  return
end
vim.g.loaded_shapewright = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('shapewright: Neovim 0.10 or later is needed', vim.log.levels.ERROR)
  return
end

for name, command in pairs(require('shapewright.commands').user_commands) do
  local description, execute, complete = unpack(command)
  vim.api.nvim_create_user_command('Shapewright' .. name, execute, {
    desc = description,
    nargs = complete and '?' or 0,
    complete = complete,
  })
end

require('shapewright.lens').register()

-- Blocks of code in Markdown are marked as `shape`.
vim.treesitter.language.register('shapewright', 'shape')

local group = vim.api.nvim_create_augroup('shapewright', { clear = true })

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if not client or client.name ~= require('shapewright.client').NAME then
      return
    end
    local settings = require('shapewright.config').get().settings
    if settings.lens.enabled then
      require('shapewright.lens').attach(event.buf)
    end
    if settings.inlayHints.enabled and client.server_capabilities.inlayHintProvider then
      vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
    end
  end,
})

vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  callback = function(event)
    require('shapewright.status').forget(event.data.client_id)
  end,
})
