; For nvim-treesitter. The plugin's own `indentexpr` needs no parser.

[
  (block)
  (parameters)
  (arguments)
  (list)
  (tuple)
  (group)
  (reshape_map)
  (if_expression)
] @indent.begin

[
  "}"
  ")"
  "]"
] @indent.branch @indent.end

(run_item) @indent.begin

[
  (line_comment)
  (doc_comment)
  (block_comment)
] @indent.auto

(ERROR) @indent.auto
