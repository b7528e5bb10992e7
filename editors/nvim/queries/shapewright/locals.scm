; The names of kernels and functions end with the braces around them; the names of items count in the whole file.

[
  (source_file)
  (kernel_item)
  (function_item)
  (function_statement)
  (block)
  (for_statement)
] @local.scope

(shape_item name: (identifier) @local.definition.var)
(dim_item name: (identifier) @local.definition.constant)
(const_item name: (identifier) @local.definition.constant)
(map_item name: (identifier) @local.definition.var)
(unit_item name: (identifier) @local.definition.var)
(tiling_item name: (identifier) @local.definition.var)

(kernel_item
  name: (identifier) @local.definition.function
  (#set! definition.function.scope "parent"))

(function_item
  name: (identifier) @local.definition.function
  (#set! definition.function.scope "parent"))

(function_statement
  name: (identifier) @local.definition.function
  (#set! definition.function.scope "parent"))

(generic name: (identifier) @local.definition.type)
(parameter name: (identifier) @local.definition.parameter)
(const_statement name: (identifier) @local.definition.constant)
(map_statement name: (identifier) @local.definition.var)
(view_statement name: (identifier) @local.definition.var)
(let_statement name: (identifier) @local.definition.var)
(shared_statement name: (identifier) @local.definition.var)
(for_statement iterator: (identifier) @local.definition.var)
(iterators iterator: (identifier) @local.definition.var)

(identifier) @local.reference
