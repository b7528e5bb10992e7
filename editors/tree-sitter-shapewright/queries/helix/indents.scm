[
  (block)
  (parameters)
  (arguments)
  (list)
  (tuple)
  (group)
  (reshape_map)
  (if_expression)
  (run_item)
] @indent

[
  "}"
  ")"
  "]"
] @outdent
