--- What runs gave, in a window below.

local config = require('shapewright.config')
local window = require('shapewright.window')

local M = {}

local NAME = 'results'

--- As many elements of an output are shown.
local SHOWN = 8

local namespace = vim.api.nvim_create_namespace('shapewright.results')

---@type { uri: string, name: string, lines: string[] }[]
local entries = {}

--- How many runs of each file have been told about.
---@type table<string, integer>
local told = {}

--- A number as people write it.
---@param value any
---@return string
local function number(value)
  return type(value) == 'number' and ('%.8g'):format(value) or tostring(value)
end

---@param values any[]
---@return string
local function numbers(values)
  return table.concat(vim.tbl_map(number, values), ', ')
end

---@param microseconds number
---@return string
local function duration(microseconds)
  if microseconds < 1000 then
    return ('%.1f µs'):format(microseconds)
  elseif microseconds < 1e6 then
    return ('%.1f ms'):format(microseconds / 1e3)
  end
  return ('%.2f s'):format(microseconds / 1e6)
end

--- `f32[12] = [0, 2, 4, …]`
---@param tensor { dtype: string, shape: integer[], sample: any[] }
---@return string
local function shown(tensor)
  local count = 1
  for _, dimension in ipairs(tensor.shape) do
    count = count * dimension
  end
  local elements = numbers(vim.list_slice(tensor.sample, 1, SHOWN))
  local more = count > math.min(#tensor.sample, SHOWN) and ', …' or ''
  return ('%s[%s] = [%s%s]'):format(tensor.dtype, numbers(tensor.shape), elements, more)
end

--- The names of a table in order, each with its value as a text.
---@param values table<string, any>
---@param text fun(name: string, value: any): string
---@return string[]
local function sorted(values, text)
  local texts = {}
  for name, value in vim.spairs(values) do
    texts[#texts + 1] = text(name, value)
  end
  return texts
end

--- A run as lines for people.
---@param run table
---@return string[]
function M.lines(run)
  local head = (run.expect == 'failed' and '✗ ' or '✓ ') .. run.kernel
  local bindings = sorted(run.bindings or {}, function(name, value)
    return ('%s = %s'):format(name, number(value))
  end)
  if #bindings > 0 then
    head = head .. ' with ' .. table.concat(bindings, ', ')
  end
  local parts = { ('%s on %s: %s'):format(head, run.device, duration(run.run_us)) }
  vim.list_extend(parts, sorted(run.outputs or {}, function(name, tensor)
    return name .. ' ' .. shown(tensor)
  end))
  if run.expect ~= 'none' then
    parts[#parts + 1] = 'expect ' .. run.expect
  end
  local lines = { table.concat(parts, ' · ') }
  local mismatch = run.first_mismatch
  if mismatch then
    local at = #mismatch.index > 0 and (' at [%s]'):format(numbers(mismatch.index)) or ''
    local more = (run.mismatches or 1) > 1 and (', the first of %d wrong elements'):format(run.mismatches) or ''
    lines[#lines + 1] =
      ('    expected %s%s, got %s%s'):format(number(mismatch.expected), at, number(mismatch.actual), more)
  end
  vim.list_extend(lines, sorted(run.saved or {}, function(name, path)
    return ('    %s saved to %s'):format(name, path)
  end))
  for _, note in ipairs(run.notes or {}) do
    lines[#lines + 1] = '    note: ' .. note
  end
  return lines
end

--- Writes what is known into the buffer.
---@return integer buffer
local function fill()
  local lines = {}
  for _, entry in ipairs(entries) do
    vim.list_extend(lines, entry.lines)
  end
  local buffer = window.fill(NAME, lines, 'shapewright-results')
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  for row, line in ipairs(lines) do
    local group = vim.startswith(line, '✓') and 'DiagnosticOk' or vim.startswith(line, '✗') and 'DiagnosticError'
    if group then
      vim.api.nvim_buf_set_extmark(buffer, namespace, row - 1, 0, { end_col = #'✓', hl_group = group })
    end
  end
  return buffer
end

--- Keeps what a run gave, in the place of what it gave before.
---@param uri string
---@param name string
---@param run table
function M.finished(uri, name, run)
  told[uri] = (told[uri] or 0) + 1
  local lines = M.lines(run)
  local known = vim.iter(entries):find(function(entry)
    return entry.uri == uri and entry.name == name
  end)
  if known then
    known.lines = lines
  else
    entries[#entries + 1] = { uri = uri, name = name, lines = lines }
  end
  fill()
end

--- How many runs of a file have been told about so far.
---@param uri string
---@return integer
function M.told(uri)
  return told[uri] or 0
end

--- Shows the window.
function M.open()
  window.show(fill(), { split = 'below', win = -1, height = config.get().results.height })
end

--- Shows what all runs of a file gave, unless the server has told it while they ran.
---@param uri string
---@param runs table[]
---@param before integer how many runs had been told about when they started
function M.show_file(uri, runs, before)
  if M.told(uri) - before < #runs then
    entries = vim.tbl_filter(function(entry)
      return entry.uri ~= uri
    end, entries)
    for ordinal, run in ipairs(runs) do
      M.finished(uri, ('%s#%d'):format(run.kernel, ordinal), run)
    end
  end
  M.open()
end

--- Forgets everything.
function M.clear()
  entries, told = {}, {}
  fill()
end

return M
