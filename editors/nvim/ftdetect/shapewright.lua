vim.filetype.add({ extension = { shape = 'shapewright' } })
