--- Code lenses: when they are asked for, and what happens when one is chosen.

local M = {}

--- How long typing must pause before lenses are asked for again, in milliseconds.
local PAUSE = 300

---@type table<integer, uv.uv_timer_t>
local timers = {}

--- Asks for a buffer's lenses and hints again.
---@param buffer integer
function M.refresh(buffer)
  local client = vim.api.nvim_buf_is_loaded(buffer) and require('shapewright.client').of_buffer(buffer)
  if client and client.server_capabilities.codeLensProvider then
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
end

--- Asks for a buffer's lenses once typing pauses.
---@param buffer integer
local function refresh_later(buffer)
  local timer = timers[buffer]
  if not timer then
    timer = assert(vim.uv.new_timer())
    timers[buffer] = timer
  end
  timer:start(PAUSE, 0, vim.schedule_wrap(function()
    M.refresh(buffer)
  end))
end

--- Shows a buffer's lenses and keeps them fresh.
---@param buffer integer
function M.attach(buffer)
  local group = vim.api.nvim_create_augroup('shapewright.lens.' .. buffer, { clear = true })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufEnter', 'BufWritePost' }, {
    group = group,
    buffer = buffer,
    callback = function()
      refresh_later(buffer)
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buffer,
    once = true,
    callback = function()
      if timers[buffer] then
        timers[buffer]:close()
        timers[buffer] = nil
      end
    end,
  })
  M.refresh(buffer)
end

--- The names of the runs that a buffer's lenses offer.
---@param buffer integer
---@return string[]
function M.names(buffer)
  local names = {}
  for _, lens in ipairs(vim.lsp.codelens.get(buffer)) do
    local argument = vim.tbl_get(lens, 'command', 'arguments', 1)
    local name = type(argument) == 'table' and argument.name
    if name and not vim.list_contains(names, name) then
      names[#names + 1] = name
    end
  end
  return names
end

--- Takes the commands of lenses, which every editor has to execute by itself.
function M.register()
  local commands = require('shapewright.commands')
  local function handler(execute)
    return function(command, context)
      execute(command.arguments[1], vim.lsp.get_client_by_id(context.client_id))
    end
  end
  vim.lsp.commands['shapewright.runLens'] = handler(commands.run)
  vim.lsp.commands['shapewright.runGpuLens'] = handler(function(argument, client)
    commands.run(vim.tbl_extend('keep', argument, { device = 'cuda:0' }), client)
  end)
  vim.lsp.commands['shapewright.showLens'] = handler(commands.picture)
end

return M
