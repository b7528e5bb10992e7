if vim.b.did_indent then
  return
end
vim.b.did_indent = true

vim.opt_local.indentexpr = "v:lua.require'shapewright.indent'.indentexpr(v:lnum)"
vim.opt_local.indentkeys = { '0{', '0}', '0)', '0]', '0|', '!^F', 'o', 'O', '0=where', '0=with', '0=expect', '0=within', '0=save' }
vim.b.undo_indent = 'setlocal indentexpr< indentkeys<'
