--- Names tests, counts them, and ends Neovim with what became of them.

local M = {}

local passed, failed = 0, 0

--- The root of the repository.
M.root = vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h'))

--- Every message that was shown to the user.
---@type { text: string, level: integer }[]
M.messages = {}

vim.notify = function(text, level)
  M.messages[#M.messages + 1] = { text = text, level = level or vim.log.levels.INFO }
end
vim.notify_once = vim.notify

--- Runs one test.
---@param name string
---@param body fun()
function M.test(name, body)
  M.messages = {}
  local fine, problem = xpcall(body, debug.traceback)
  if fine then
    passed = passed + 1
    io.stdout:write('  ok ', name, '\n')
  else
    failed = failed + 1
    io.stdout:write('FAILED ', name, '\n', problem, '\n')
    for _, message in ipairs(M.messages) do
      io.stdout:write('    shown: ', message.text, '\n')
    end
  end
  vim.cmd('silent! tabonly! | silent! only!')
end

--- Insists that two values are equal.
function M.equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s\n  expected %s\n  got      %s'):format(what or '', vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

--- Insists that a text holds another.
function M.holds(text, part)
  if type(text) ~= 'string' or not text:find(part, 1, true) then
    error(('expected %s in\n%s'):format(vim.inspect(part), tostring(text)), 2)
  end
end

--- Waits until something is so, and gives it.
function M.eventually(what, is_so)
  local value
  local came = vim.wait(60000, function()
    value = is_so()
    return value
  end, 10)
  if not came then
    error('this never came: ' .. what, 2)
  end
  return value
end

--- Insists that the user is shown a message.
function M.shown(part)
  return M.eventually(('the message %q'):format(part), function()
    for _, message in ipairs(M.messages) do
      if message.text:find(part, 1, true) then
        return message
      end
    end
  end)
end

--- Opens a new file with a text.
---@param name string
---@param text string
---@return integer buffer
function M.file(name, text)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  local path = vim.fs.joinpath(vim.uv.fs_realpath(folder), name)
  vim.fn.writefile(vim.split(text, '\n'), path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  return vim.api.nvim_get_current_buf()
end

--- Opens a file, and insists on what its words are, each at its first place in its line.
---@param lines { [1]: string, [integer]: string[] }[] Each a line and pairs of a word and what it is.
---@param what_is fun(lnum: integer, column: integer): string
function M.words(lines, what_is)
  local text = vim.tbl_map(function(line)
    return line[1]
  end, lines)
  M.file('a.shape', table.concat(text, '\n'))
  for lnum, line in ipairs(lines) do
    for _, pair in ipairs(vim.list_slice(line, 2)) do
      local word, expected = unpack(pair)
      local column = assert(line[1]:find(word, 1, true), ('no %q in %q'):format(word, line[1]))
      M.equal(what_is(lnum, column), expected, ('%q in %q'):format(word, line[1]))
    end
  end
end

--- The text of a buffer.
---@param buffer integer
---@return string
function M.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

--- The text of the buffer that is called `shapewright://NAME`, once it holds something.
---@param name string
---@param part string
---@return string
function M.window(name, part)
  return M.eventually(('%q in the window `%s`'):format(part, name), function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local buffer = vim.api.nvim_win_get_buf(window)
      if vim.api.nvim_buf_get_name(buffer) == 'shapewright://' .. name then
        local text = M.text(buffer)
        return text:find(part, 1, true) and text
      end
    end
  end)
end

--- The report of `:checkhealth shapewright`.
---@return string
function M.health()
  vim.cmd('silent checkhealth shapewright')
  local text = M.text(0)
  vim.cmd('bwipeout!')
  return text
end

--- Says what became of the tests, and ends.
function M.finish()
  io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
  io.stdout:flush()
  for _, client in ipairs(vim.lsp.get_clients()) do
    require('shapewright.client').stop(client)
  end
  vim.wait(5000, function()
    return #vim.lsp.get_clients() == 0
  end)
  vim.cmd(failed == 0 and passed > 0 and 'qall!' or 'cquit! 1')
end

return M
