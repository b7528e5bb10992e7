-- `vim.lsp.enable` of Neovim 0.11, without `setup()`: the program is found on the path.

local harness = require('harness')
local test, equal = harness.test, harness.equal

test('vim.lsp.enable starts the server', function()
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  assert(vim.uv.fs_symlink(harness.root .. '/editors/nvim/test/fake_shapewright', folder .. '/shapewright'))
  vim.env.PATH = folder .. ':' .. vim.env.PATH
  vim.lsp.enable('shapewright')
  local buffer = harness.file('a.shape', 'a : [1]')
  local client = harness.eventually('the server', function()
    local client = require('shapewright.client').of_buffer(buffer)
    return client and client.initialized and client
  end)
  equal(client.config.root_dir, vim.fs.dirname(vim.api.nvim_buf_get_name(buffer)))
  harness.eventually('diagnostics', function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  vim.cmd.ShapewrightDevices()
  harness.window('devices', 'cpu: A processor')
end)

test('vim.lsp.config changes the settings', function()
  for _, client in ipairs(vim.lsp.get_clients()) do
    client:stop()
  end
  harness.eventually('the end of the server', function()
    return #vim.lsp.get_clients() == 0
  end)
  vim.fn.writefile({}, vim.env.FAKE_LOG)
  vim.lsp.config('shapewright', { init_options = { runAllowed = false } })
  harness.file('b.shape', 'a : [1]')
  local options = harness.eventually('initialize', function()
    for _, line in ipairs(vim.fn.readfile(vim.env.FAKE_LOG)) do
      local message = vim.json.decode(line)
      if message.method == 'initialize' then
        return message.params.initializationOptions
      end
    end
  end)
  equal(options.runAllowed, false)
  equal(options.lenses, true)
end)

test('a restart keeps what vim.lsp.config changed', function()
  local buffer = vim.api.nvim_get_current_buf()
  local client = require('shapewright.client')
  local before = harness.eventually('the server', function()
    local running = client.of_buffer(buffer)
    return running and running.initialized and running.id
  end)
  vim.cmd.ShapewrightRestart()
  local after = harness.eventually('another server', function()
    local running = client.of_buffer(buffer)
    return running and running.initialized and running.id ~= before and running
  end)
  equal(after.config.init_options.runAllowed, false)
end)

harness.finish()
