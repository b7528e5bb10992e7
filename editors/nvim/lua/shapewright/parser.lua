--- The tree-sitter parser: whether it is there, and how it is built.

local client = require('shapewright.client')

local M = {}

local LANGUAGE = 'shapewright'

--- Whether Neovim finds the parser.
---@return boolean
function M.installed()
  pcall(vim.treesitter.language.add, LANGUAGE)
  return (pcall(vim.treesitter.language.inspect, LANGUAGE))
end

--- The folder of the grammar beside this plugin, as in Shapewright's repository.
---@return string?
function M.grammar()
  local here = debug.getinfo(1, 'S').source:sub(2)
  local editors = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(here) or here))))
  local grammar = vim.fs.joinpath(editors, 'tree-sitter-shapewright')
  return vim.uv.fs_stat(vim.fs.joinpath(grammar, 'src', 'parser.c')) and grammar or nil
end

--- A C compiler of this machine.
---@return string?
local function compiler()
  for _, name in ipairs({ vim.env.CC or '', 'cc', 'gcc', 'clang' }) do
    if name ~= '' and vim.fn.executable(name) == 1 then
      return name
    end
  end
end

--- Builds the parser into the user's own runtime folder. Gives what went wrong.
---@return string?
function M.build()
  local grammar = M.grammar()
  if not grammar then
    return 'the grammar is not beside this plugin; take both from the repository, or build the grammar by hand'
  end
  local cc = compiler()
  if not cc then
    return 'there is no C compiler; install one, or set $CC'
  end
  local folder = vim.fs.joinpath(vim.fn.stdpath('data') --[[@as string]], 'site', 'parser')
  vim.fn.mkdir(folder, 'p')
  local library = vim.fs.joinpath(folder, LANGUAGE .. '.so')
  -- A library that is loaded must not be written over, so the new one takes its place in one step.
  local fresh = library .. '.new'
  local source = vim.fs.joinpath(grammar, 'src')
  local command = { cc, '-shared', '-fPIC', '-O2', '-std=c11', '-I' .. source, '-o', fresh }
  vim.list_extend(command, { vim.fs.joinpath(source, 'parser.c'), vim.fs.joinpath(source, 'scanner.c') })
  local done = vim.system(command, { text = true }):wait()
  if done.code ~= 0 then
    return ('`%s` failed: %s'):format(cc, vim.trim(done.stderr))
  end
  local moved, problem = vim.uv.fs_rename(fresh, library)
  if not moved then
    return problem
  end
  -- Neovim does not look into a folder that was not there when it started.
  vim.treesitter.language.add(LANGUAGE, { path = library })
end

--- Builds the parser and uses it in all buffers.
function M.install()
  local problem = M.build()
  if problem then
    client.fail(problem)
    return
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'shapewright' then
      vim.treesitter.start(buffer, LANGUAGE)
    end
  end
  client.notify('the tree-sitter parser is installed')
end

return M
