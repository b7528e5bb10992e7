; Captures have Helix's names. No node is captured by two patterns, so their order does not matter.

(integer) @constant.numeric.integer
(float) @constant.numeric.float
(boolean) @constant.builtin.boolean
(string_content) @string
(string "\"" @string)
(escape_sequence) @constant.character.escape
(underscore) @constant.builtin
(question) @constant.builtin

(line_comment) @comment.line
(block_comment) @comment.block
(doc_comment) @comment.block.documentation

[
  "mdspan"
  "dim"
  "const"
  "map"
  "unit"
  "tiling"
  "run"
  "assert"
  "show"
  "where"
  "tune"
  "with"
  "expect"
  "within"
  "save"
  "via"
  "per"
  "cluster"
  "grid"
  "block"
] @keyword

"use" @keyword.control.import
[
  "kernel"
  "fn"
] @keyword.function

[
  "let"
  "view"
] @keyword.storage

[
  "mut"
  "masked"
  "shared"
  "async"
  "strided"
] @keyword.storage.modifier

[
  "for"
  "in"
  "step"
  "while"
  "max"
  "break"
  "continue"
] @keyword.control.repeat

[
  "if"
  "else"
] @keyword.control.conditional

[
  "layout"
  "offset"
] @variable.parameter

"gpu" @namespace
"reshape_map" @function.builtin

[
  "|>"
  "||"
  "&&"
  "=="
  "!="
  "<="
  ">="
  "+"
  "-"
  "*"
  "/"
  "%"
  "#"
  "&"
  "^"
  "~"
  "<<"
  ">>"
  ".."
  "!"
  "="
  "+="
  "-="
  "*="
  "/="
  "%="
  "&="
  "|="
  "^="
  "<<="
  ">>="
  "=>"
  "->"
  "|"
] @operator

(binary_expression operator: ["<" ">"] @operator)
(shape_item ["<" ">"] @punctuation.bracket)

[
  ","
  ";"
  ":"
  "::"
  "."
] @punctuation.delimiter

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

(element_type) @type.builtin
(parameter type: (identifier) @type)
(function_item type: (identifier) @type)
(function_statement type: (identifier) @type)
(let_statement type: (identifier) @type)
(shared_statement type: (identifier) @type)
(generic name: (identifier) @type.parameter)

(dim_item name: (identifier) @constant)
(const_item name: (identifier) @constant)
(binding name: (identifier) @constant)
(kernel_item name: (identifier) @function)
(function_item name: (identifier) @function)
(function_statement name: (identifier) @function)
(run_item kernel: (identifier) @function)
(parameter name: (identifier) @variable.parameter)
(named_argument name: (identifier) @variable.parameter)
(member_expression member: (identifier) @variable.other.member)

((call_expression function: (identifier) @type.builtin)
  (#match? @type.builtin "^(bool|[iu](8|16|32|64)|b?f16|f32|f64)$"))

((call_expression function: (identifier) @function)
  (#not-match? @function "^(bool|[iu](8|16|32|64)|b?f16|f32|f64)$"))

((layout (list (identifier) @constant.builtin))
  (#match? @constant.builtin "^[it][0-9]+$"))

((layout (list (prefix_expression (identifier) @constant.builtin)))
  (#match? @constant.builtin "^[it][0-9]+$"))
