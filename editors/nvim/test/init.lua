-- What every suite starts from: the plugin as a user has it, and nothing else.

local plugin = vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))))
vim.opt.runtimepath:prepend(plugin)
-- `--clean` leaves the user's own folder out, where parsers are installed.
vim.opt.runtimepath:append(vim.fs.joinpath(vim.fn.stdpath('data'), 'site'))
vim.opt.swapfile = false
vim.opt.shadafile = 'NONE'
package.path = plugin .. '/test/?.lua;' .. package.path
vim.cmd('filetype plugin indent on')
vim.cmd('syntax enable')
