if vim.b.did_indent then
  return
end
vim.b.did_indent = true

vim.opt_local.indentexpr = "v:lua.require'shapewright.indent'.indentexpr(v:lnum)"
vim.opt_local.indentkeys = { '0{', '0}', '0)', '0]', '!^F', 'o', 'O', '0=|>', '0=&&', '0=||', '0=->', '0==' }
for _, word in ipairs({ 'where', 'tune', 'with', 'expect', 'within', 'save', 'via', 'per', 'masked' }) do
  vim.opt_local.indentkeys:append('0=' .. word)
end
vim.b.undo_indent = 'setlocal indentexpr< indentkeys<'
