if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = true

local set = vim.opt_local

set.commentstring = '// %s'
set.comments = { ':///', '://', 's1:/*', 'mb:*', 'ex:*/' }
set.formatoptions:remove('t')
set.formatoptions:append('croql')
set.expandtab = true
set.shiftwidth = 4
set.softtabstop = 4
set.textwidth = 120
-- `new-shape0` is one name.
set.iskeyword:append('-')
set.suffixesadd = '.shape'
set.include = [[^\s*use\s\+"\zs[^"]*\ze"]]
set.define = [[\v^\s*%(kernel|fn|map|unit|tiling|const|dim|mdspan%(\<[^>]*\>)?)\s+\ze\k+|^\ze\k+\s*:]]
set.formatexpr = "v:lua.require'shapewright.format'.formatexpr()"

vim.b.undo_ftplugin = 'setlocal commentstring< comments< formatoptions< expandtab< shiftwidth< softtabstop<'
  .. ' textwidth< iskeyword< suffixesadd< include< define< formatexpr<'

-- With a parser tree-sitter colours the text, without one `syntax/shapewright.vim` does.
if require('shapewright.config').get().treesitter and require('shapewright.parser').installed() then
  vim.treesitter.start()
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. ' | lua vim.treesitter.stop()'
end
