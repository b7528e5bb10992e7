--- What the user decides. Without `setup()` everything has its default.

local M = {}

---@class shapewright.Options
---@field server { path?: string } The command `shapewright`; found on the path where it is not set.
---@field settings table The settings that the server knows; see |shapewright-settings|.
---@field run_allowed boolean Whether the server may run kernels.
---@field treesitter boolean Whether tree-sitter highlights, where its parser is installed.
---@field results { height: integer } The window that shows results.

---@return shapewright.Options
local function defaults()
  return {
    server = {},
    settings = {
      run = { onSave = 'off', device = 'auto', timeLimit = 60 },
      inlayHints = { enabled = true },
      lens = { enabled = true },
      check = { target = vim.NIL },
    },
    run_allowed = true,
    treesitter = true,
    results = { height = 10 },
  }
end

--- The type of each option, and the words it may be where it is one of some words.
local KNOWN = {
  ['server'] = 'table',
  ['server.path'] = 'string',
  ['settings'] = 'table',
  ['settings.run'] = 'table',
  ['settings.run.onSave'] = { 'off', 'changed', 'all' },
  ['settings.run.device'] = 'string',
  ['settings.run.timeLimit'] = 'number',
  ['settings.inlayHints'] = 'table',
  ['settings.inlayHints.enabled'] = 'boolean',
  ['settings.lens'] = 'table',
  ['settings.lens.enabled'] = 'boolean',
  ['settings.check'] = 'table',
  ['settings.check.target'] = 'string',
  ['run_allowed'] = 'boolean',
  ['treesitter'] = 'boolean',
  ['results'] = 'table',
  ['results.height'] = 'number',
}

--- What is wrong with one option; nothing if it is right.
---@param name string
---@param value any
---@return string?
local function problem(name, value)
  local expected = KNOWN[name]
  if not expected then
    return ('there is no option `%s`'):format(name)
  end
  if type(expected) == 'string' then
    if type(value) ~= expected and value ~= vim.NIL then
      return ('`%s` must be a %s, not %s'):format(name, expected, vim.inspect(value))
    end
  elseif not vim.list_contains(expected, value) then
    return ('`%s` must be one of %s, not %s'):format(name, table.concat(expected, ', '), vim.inspect(value))
  end
end

--- Takes over the options that are right, and collects what is wrong with the others.
---@param options table
---@param into table
---@param prefix string
---@param problems string[]
local function merge(options, into, prefix, problems)
  for key, value in vim.spairs(options) do
    local name = prefix .. key
    local wrong = problem(name, value)
    if wrong then
      problems[#problems + 1] = wrong
    elseif KNOWN[name] == 'table' then
      into[key] = into[key] or {}
      merge(value, into[key], name .. '.', problems)
    else
      into[key] = value
    end
  end
end

local current = defaults()

--- Sets the options; what is not given has its default. Gives what was wrong with them.
---@param options? table
---@return string[]
function M.set(options)
  local problems = {}
  current = defaults()
  merge(options or {}, current, '', problems)
  return problems
end

--- The options as they are.
---@return shapewright.Options
function M.get()
  return current
end

return M
