--- Windows with a text that belongs to no file.

local M = {}

--- The buffer with a name, made if it is not there.
---@param name string
---@return integer
local function buffer_of(name)
  local full = 'shapewright://' .. name
  local buffer = vim.fn.bufnr('^' .. vim.fn.escape(full, '[]*?{},\\') .. '$')
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, full)
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'Close this window' })
  end
  return buffer
end

--- Sets the text of the buffer with a name.
---@param name string
---@param lines string[]
---@param filetype string
---@return integer buffer
function M.fill(name, lines, filetype)
  local buffer = buffer_of(name)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
  return buffer
end

--- Whether a buffer is shown in this tab page.
---@param buffer integer
---@return boolean
function M.shown(buffer)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(window) == buffer then
      return true
    end
  end
  return false
end

--- Shows a buffer in a window of its own, if it is not shown, and stays where the cursor is.
---@param buffer integer
---@param place table of |nvim_open_win()|
function M.show(buffer, place)
  if not M.shown(buffer) then
    local window = vim.api.nvim_open_win(buffer, false, place)
    vim.wo[window].wrap = false
  end
end

--- Shows a buffer in a window above the others, as large as its text and no larger than the screen, and goes there.
---@param buffer integer
---@param title string
function M.float(buffer, title)
  local width, height = #title + 2, vim.api.nvim_buf_line_count(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    width = math.max(width, vim.api.nvim_strwidth(line))
  end
  width, height = math.min(width, vim.o.columns - 4), math.min(height, vim.o.lines - 6)
  local place = {
    relative = 'editor',
    width = math.max(width, 1),
    height = math.max(height, 1),
    col = math.max(math.floor((vim.o.columns - width) / 2) - 1, 0),
    row = math.max(math.floor((vim.o.lines - height) / 2) - 1, 0),
    style = 'minimal',
    border = 'rounded',
    title = ' ' .. title .. ' ',
  }
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(window) == buffer then
      vim.api.nvim_win_set_config(window, place)
      vim.api.nvim_set_current_win(window)
      return
    end
  end
  local window = vim.api.nvim_open_win(buffer, true, place)
  vim.wo[window].wrap = false
end

return M
