-- Without a server: filetype, options, commands, help, settings.

local harness = require('harness')
local test, equal, holds = harness.test, harness.equal, harness.holds

test('a file that ends in .shape has the filetype', function()
  harness.file('a.shape', '')
  equal(vim.bo.filetype, 'shapewright')
end)

test('options', function()
  harness.file('a.shape', 'a : [1]')
  equal(vim.bo.commentstring, '// %s')
  equal(vim.bo.shiftwidth, 4)
  equal(vim.bo.expandtab, true)
  vim.cmd.normal('gcc')
  equal(vim.fn.getline(1), '// a : [1]')
  vim.cmd.normal('gcc')
  equal(vim.fn.getline(1), 'a : [1]')
  vim.bo.filetype = 'text'
  equal(vim.bo.commentstring, '', 'the options end with the filetype')
end)

test('a comment goes on in the next line', function()
  harness.file('a.shape', '/// One.')
  vim.api.nvim_feedkeys(vim.keycode('otwo<Esc>'), 'tx', false)
  equal(vim.fn.getline(2), '/// two')
end)

test('gf opens the file that `use` names', function()
  local buffer = harness.file('a.shape', 'use "b";')
  local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
  vim.fn.writefile({ 'b : [1]' }, folder .. '/b.shape')
  vim.fn.cursor(1, 6)
  vim.cmd.normal('gf')
  equal(vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'b.shape')
end)

test('gq breaks comments without a server', function()
  harness.file('a.shape', '// ' .. ('word '):rep(40))
  vim.cmd.normal('gqq')
  assert(vim.fn.line('$') == 2, 'the comment is one line still')
  holds(vim.fn.getline(2), '// word')
end)

test('every command is there and described in the help', function()
  vim.cmd('helptags ' .. harness.root .. '/editors/nvim/doc')
  local commands = vim.api.nvim_get_commands({})
  for name in pairs(require('shapewright.commands').user_commands) do
    assert(commands['Shapewright' .. name], name)
    vim.cmd.help(':Shapewright' .. name)
    holds(vim.api.nvim_buf_get_name(0), 'doc/shapewright.txt')
  end
  for _, tag in ipairs({ 'shapewright', 'shapewright-setup', 'shapewright-settings', 'shapewright-health' }) do
    vim.cmd.help(tag)
    equal(vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'shapewright.txt')
  end
end)

test('options that are wrong are named, and the others count', function()
  local config = require('shapewright.config')
  local problems = config.set({
    servers = {},
    settings = { run = { onSave = 'yes', timeLimit = 5 }, lens = { enabled = 1 } },
  })
  equal(problems, {
    'there is no option `servers`',
    '`settings.lens.enabled` must be a boolean, not 1',
    '`settings.run.onSave` must be one of off, changed, all, not "yes"',
  }, 'problems')
  equal(config.get().settings.run.onSave, 'off')
  equal(config.get().settings.run.timeLimit, 5)
  equal(config.get().settings.lens.enabled, true)
  config.set({})
end)

harness.finish()
