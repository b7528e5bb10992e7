[
  (kernel_item)
  (function_item)
  (run_item)
  (block)
  (parameters)
  (arguments)
  (list)
  (group)
  (reshape_map)
  (dim_item)
  (map_item)
  (tiling_item)
  (block_comment)
  (line_comment)+
  (doc_comment)+
] @fold
