--- Indentation as the formatter writes it: one step inside brackets, one step for a line that goes on with the
--- item or statement before it.

local M = {}

--- Kernels longer than this are rare; beyond it the brackets before are taken as closed.
local FARTHEST = 2000

--- The words that go on with an item. Inside brackets `with` starts a statement and the others are names.
local ITEM_CLAUSES = { where = true, tune = true, expect = true, within = true, with = true, save = true }

--- The words that go on with a statement too.
local CLAUSES = { grid = true, block = true, cluster = true, via = true, per = true, masked = true }

--- Whether a line, without what stands before its first word, goes on with the line before.
---@param code string
---@param bracketed boolean whether it stands inside brackets
---@return boolean
local function starts_continuation(code, bracketed)
  local word, after = code:match('^(%a[%w_]*)%s*(.?)')
  if word then
    local clause = CLAUSES[word] or not bracketed and ITEM_CLAUSES[word]
    return clause == true and after ~= ':' and after ~= '='
  end
  return code:match('^|>') ~= nil
    or code:match('^||') ~= nil
    or code:match('^&&') ~= nil
    or code:match('^[=!<>]=') ~= nil
    or code:match('^[-+*/%%#<>=.,]') ~= nil
end

--- Whether the line leaves its item or statement unfinished.
---@param code string
---@return boolean
local function ends_unfinished(code)
  return code:match('[-+*/%%#<>=&|:,.]$') ~= nil and code:match('^|.*|$') == nil and code:match('[%w_%]})]|$') == nil
end

--- The line without its comments and the contents of its strings.
---
--- `in_comment` tells whether the line starts inside a block comment; the second result, whether it ends in one.
---@param line string
---@param in_comment boolean
---@return string
---@return boolean
local function code_of(line, in_comment)
  local code = {}
  local at = 1
  while at <= #line do
    local two = line:sub(at, at + 1)
    local one = two:sub(1, 1)
    if in_comment then
      local close = line:find('*/', at, true)
      if not close then
        return table.concat(code), true
      end
      in_comment = false
      at = close + 2
    elseif two == '//' then
      break
    elseif two == '/*' then
      in_comment = true
      at = at + 2
    elseif one == '"' then
      local close = at + 1
      while close <= #line and line:sub(close, close) ~= '"' do
        close = close + (line:sub(close, close) == '\\' and 2 or 1)
      end
      code[#code + 1] = '""'
      at = close + 1
    else
      code[#code + 1] = one
      at = at + 1
    end
  end
  return (table.concat(code):gsub('%s+$', '')), in_comment
end

--- The lines before `lnum` without comments, and whether `lnum` starts in a comment.
---@param lnum integer
---@return { text: string, lnum: integer }[]
---@return boolean
local function lines_before(lnum)
  local first = math.max(1, lnum - FARTHEST)
  local lines = {}
  local in_comment = false
  for offset, line in ipairs(vim.api.nvim_buf_get_lines(0, first - 1, lnum - 1, false)) do
    local code
    code, in_comment = code_of(line, in_comment)
    if code:match('%S') then
      lines[#lines + 1] = { text = code, lnum = first + offset - 1 }
    end
  end
  return lines, in_comment
end

--- The number of the line that holds the innermost open bracket, if there is one, and the indentation of what it
--- belongs to.
---@param lines { text: string, lnum: integer }[]
---@return integer?
---@return integer
local function opening_line(lines)
  local open = {}
  for _, line in ipairs(lines) do
    for bracket in line.text:gmatch('[%[%](){}]') do
      if bracket:match('[%[({]') then
        open[#open + 1] = { line = line, bracket = bracket, outermost = #open == 0 }
      else
        open[#open] = nil
      end
    end
  end
  local last = open[#open]
  if not last then
    return nil, 0
  end
  -- The body of a kernel whose clauses go on in a line of their own.
  local is_body = last.outermost and last.bracket == '{' and starts_continuation((last.line.text:gsub('^%s+', '')), false)
  return last.line.lnum, is_body and 0 or vim.fn.indent(last.line.lnum)
end

--- The indentation of a line.
---@param lnum integer
---@return integer
function M.indentexpr(lnum)
  local lines, in_comment = lines_before(lnum)
  if in_comment then
    return -1
  end
  local code = code_of(vim.fn.getline(lnum), false):gsub('^%s+', '')
  local step = vim.fn.shiftwidth()
  local opening, base = opening_line(lines)
  if code:match('^[%])}]') then
    return base
  end
  if opening then
    base = base + step
  end
  local previous = lines[#lines]
  -- Elements of a list are separated by commas and do not go on with one another.
  local listed = opening and previous and previous.text:match(',$')
  local unfinished = previous and previous.lnum ~= opening and not listed and ends_unfinished(previous.text)
  if code:match('^{') and not opening then
    return base
  end
  return (starts_continuation(code, opening ~= nil) or unfinished) and base + step or base
end

return M
