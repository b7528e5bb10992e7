; Captures have Neovim's names. Where two patterns match, the later one counts.

(identifier) @variable

; Literals

(integer) @number
(float) @number.float
(boolean) @boolean

; The compiler's float constants:
((identifier) @number.float
  (#any-of? @number.float "inf" "nan"))
; written by `cargo xtask docs`.
(string) @string
(escape_sequence) @string.escape
(use_item path: (string) @string.special.path)
(saved path: (string) @string.special.path)
(underscore) @constant.builtin
(question) @constant.builtin

[
  (line_comment)
  (block_comment)
] @comment @spell

(doc_comment) @comment.documentation @spell

; Keywords

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
  "let"
  "view"
  "via"
  "per"
  "cluster"
  "grid"
  "block"
] @keyword

"use" @keyword.import
[
  "kernel"
  "fn"
] @keyword.function

[
  "mut"
  "masked"
  "shared"
  "async"
  "strided"
] @keyword.modifier

[
  "for"
  "in"
  "step"
  "while"
  "max"
  "break"
  "continue"
] @keyword.repeat

[
  "if"
  "else"
] @keyword.conditional

; Operators and marks

[
  "|>"
  "||"
  "&&"
  "=="
  "!="
  "<"
  "<="
  ">"
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

(size_expression "|" @punctuation.bracket)
(shape_item ["<" ">"] @punctuation.bracket)

; Types

(element_type) @type.builtin
(parameter type: (identifier) @type)
(function_item type: (identifier) @type)
(function_statement type: (identifier) @type)
(let_statement type: (identifier) @type)
(shared_statement type: (identifier) @type)
(generic name: (identifier) @type)

; Names where they are declared

(dim_item name: (identifier) @constant)
(const_item name: (identifier) @constant)
(kernel_item name: (identifier) @function)
(function_item name: (identifier) @function)
(function_statement name: (identifier) @function)
(parameter name: (identifier) @variable.parameter)

; Names where they are used

(run_item kernel: (identifier) @function.call)
(binding name: (identifier) @constant)
(named_argument name: (identifier) @variable.parameter)
(member_expression member: (identifier) @variable.member)
(call_expression function: (identifier) @function.call)
(call_expression function: (member_expression member: (identifier) @function.method.call))

((call_expression function: (identifier) @function.builtin)
  (#any-of? @function.builtin
    "rank" "size" "linear" "continuous_linear" "map2d" "chain"
    "row_major" "col_major" "pass_through" "pad" "left_pad" "right_pad" "embed" "merge" "unmerge" "replicate"
    "insert" "freeze" "slice" "xor" "modulo" "cyclic_shift" "specialize" "tile" "partition" "threads"
    "random" "npy" "initial" "grid" "block" "cluster"
    ; The compiler's functions:
    "sqrt" "rsqrt" "exp" "exp2" "log" "log2" "log10" "sin" "cos" "tan" "atan" "tanh" "erf" "cbrt" "floor" "ceil"
    "round" "abs" "min" "max" "pow" "atan2" "hypot" "copysign" "fma" "popcount" "clz" "ctz" "ffs" "brev" "mulhi"
    "clamp" "isnan" "cdiv" "bit_and" "bit_or" "bit_xor" "shift_left" "shift_right" "zeros" "ones" "full" "iota"
    "mma" "matmul" "select" "gather" "gather_masked" "scatter" "scatter_masked" "cat" "partition" "shuffle"
    "shuffle_up" "shuffle_down" "shuffle_xor" "ballot" "sum" "prod" "any" "all" "cumsum" "cumprod"
    ; written by `cargo xtask docs`.
  ))

; A conversion: `f32(x)`.
((call_expression function: (identifier) @type.builtin)
  (#any-of? @type.builtin
    ; The compiler's element types:
    "bool" "i8" "i16" "i32" "i64" "u8" "u16" "u32" "u64" "e4m3" "e5m2" "f16" "bf16" "f32" "f64"
    ; written by `cargo xtask docs`.
  ))

((run_item
  arguments: (arguments
    (named_argument value: (identifier) @constant.builtin)))
  (#any-of? @constant.builtin "zeros" "ones" "arange"))

((run_item
  arguments: (arguments (identifier) @constant.builtin))
  (#any-of? @constant.builtin "zeros" "ones" "arange"))

((view_statement unit: (identifier) @constant.builtin)
  (#any-of? @constant.builtin "block" "warp" "thread"))

; Maps from local and thread ids

(reshape_map "gpu" @module)
(path "gpu" @module)
(reshape_map "reshape_map" @function.builtin)
(layout "layout" @variable.parameter)
(offset "offset" @variable.parameter)

((layout (list (identifier) @constant.builtin))
  (#match? @constant.builtin "^[it][0-9]+$"))

((layout (list (prefix_expression (identifier) @constant.builtin)))
  (#match? @constant.builtin "^[it][0-9]+$"))
