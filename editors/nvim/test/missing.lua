-- Without a server, or with a program that is none: the person is told, once, and nothing else breaks.

local harness = require('harness')
local test, equal, holds = harness.test, harness.equal, harness.holds

local fake = harness.root .. '/editors/nvim/test/fake_shapewright'

test('commands without a server say where to look', function()
  for name, argument in pairs({ Run = '', RunGpu = '', Cancel = '', Devices = '', Explain = 'race', Cuda = 'f', Show = 'a', Picture = 'a' }) do
    harness.messages = {}
    vim.cmd(vim.trim(('Shapewright%s %s'):format(name, argument)))
    equal(#harness.messages, 1, name)
    holds(harness.messages[1].text, ':checkhealth shapewright')
  end
end)

test('a missing server is told once', function()
  require('shapewright').setup({ server = { path = '/nowhere/shapewright' } })
  harness.file('a.shape', 'a : [1]')
  harness.shown('the server `/nowhere/shapewright` is not an executable program')
  equal(harness.messages[1].level, vim.log.levels.ERROR)
  harness.file('b.shape', 'a : [1]')
  vim.wait(100)
  equal(#harness.messages, 1)
  equal(#vim.lsp.get_clients(), 0)
  equal(vim.bo.filetype, 'shapewright')
  equal(require('shapewright').status(), '')
end)

test('health of a missing server', function()
  local report = harness.health()
  holds(report, 'ERROR')
  holds(report, 'the server `/nowhere/shapewright` is not an executable program; install `shapewright` on the path')
  holds(report, 'no server is running')
end)

test('health of a program without a language server', function()
  vim.env.FAKE_WITHOUT_SERVER = '1'
  require('shapewright').setup({ server = { path = fake } })
  local report = harness.health()
  holds(report, 'this program has no language server')
end)

test('a program without a language server ends, and the person is told', function()
  harness.file('a.shape', 'a : [1]')
  harness.shown('the server ended with status 2')
  vim.env.FAKE_WITHOUT_SERVER = nil
end)

test('health of another program of this name', function()
  local program = vim.fn.tempname()
  vim.fn.writefile({ '#!/bin/sh', 'echo a shape of wright; exit 1' }, program)
  vim.fn.setfperm(program, 'rwxr-xr-x')
  require('shapewright').setup({ server = { path = program } })
  holds(harness.health(), 'is it another program of this name?')
end)

test('health of a program with a strange version', function()
  local program = vim.fn.tempname()
  vim.fn.writefile({ '#!/bin/sh', 'echo shapewright of old' }, program)
  vim.fn.setfperm(program, 'rwxr-xr-x')
  require('shapewright').setup({ server = { path = program } })
  holds(harness.health(), 'the server calls its version `of old`, which is no version')
end)

test('without a compiler the parser is not built, and the person is told', function()
  local path = vim.env.PATH
  vim.env.PATH = '/nowhere'
  vim.cmd.ShapewrightInstallParser()
  vim.env.PATH = path
  harness.shown('there is no C compiler')
end)

harness.finish()
