" Shapewright, for Neovim without its tree-sitter parser.
"
" The words of the language are contextual. A word is coloured where what follows shows its meaning, so that
" `map : [1, 2]` stays a shape called `map`.

if exists('b:current_syntax')
  finish
endif

syntax case match
syntax iskeyword @,48-57,_,-
syntax sync minlines=200

" Numbers and names

syntax match shapewrightInteger /\v<\d[0-9_]*(_ic)?>/
syntax match shapewrightInteger /\v<0[xX][0-9a-fA-F_]+(_ic)?>/
syntax match shapewrightInteger /\v<\d[0-9_]*\ze-/
syntax match shapewrightInteger /-\@<=\d[0-9_]*\>/
syntax match shapewrightFloat /\v<\d[0-9_]*\.\d[0-9_]*([eE][+-]?\d[0-9_]*)?/
syntax match shapewrightFloat /\v<\d[0-9_]*[eE][+-]?\d[0-9_]*>/
" The compiler's float constants:
syntax match shapewrightFloat /\v<%(inf|nan)>\ze\s*%($|[^(: \t])/
" written by `cargo xtask docs`.
syntax keyword shapewrightBoolean true false
syntax match shapewrightHole /\v<_>|\?/

" Operators and marks

syntax match shapewrightOperator /\v-\>|[-+*\/%#<>=!&^]\=?|\~|\<\<\=?|\>\>\=?|\|\=|\|\>|\|\||\&\&|\.\.|\=\>/
syntax match shapewrightDelimiter /[][(){},;]/
syntax match shapewrightDelimiter /::\?/

" A call, unless something below says more

syntax match shapewrightCall /\v<\h[0-9A-Za-z_]*%(-\a[0-9A-Za-z_]*)*\ze\(/

" Items

syntax match shapewrightInclude /\v<use>\ze\s*"/
syntax match shapewrightKeyword /\v<%(map|unit|tiling|const|dim|run|mdspan)>\ze\s+\h/
syntax match shapewrightKeyword /\v<mdspan>\ze\s*\</
syntax match shapewrightKeyword /\v%(^|[;{}])\s*\zs%(assert|show)>\ze\s*%(\w|["(|!~\[_?-])/
syntax match shapewrightKernel /\v<%(kernel|fn)>\ze\s+\h/ nextgroup=shapewrightKernelName skipwhite
syntax match shapewrightKernelName /\v\h[0-9A-Za-z_]*%(-\a[0-9A-Za-z_]*)*/ contained
syntax match shapewrightRunName /\v%(<run\s+)@<=\h[0-9A-Za-z_]*%(-\a[0-9A-Za-z_]*)*/
syntax match shapewrightShapeName /\v^\s*\zs\h[0-9A-Za-z_]*%(-\a[0-9A-Za-z_]*)*\ze\s*:%([^:]|$)/
syntax match shapewrightShapeName /\v%(<mdspan\s+|<mdspan\s*\<[^>]*\>\s*)@<=\h[0-9A-Za-z_]*%(-\a[0-9A-Za-z_]*)*/

" Clauses and statements; as a name each would stand before one of these marks.

syntax match shapewrightKeyword /\v<%(where|tune|with|expect|within|save|via|per)>\ze%($|\s+[^ \t:=.,;)\]+*\/%#<>&|-]|\s*[(\[|"!-])/
syntax match shapewrightKeyword /\v<%(cluster|grid|block)>\ze\s*\(/
syntax match shapewrightKeyword /\v<%(let|view)>\ze\s+\h/
syntax match shapewrightModifier /\v<%(mut|shared|async)>\ze\s+\h/
syntax match shapewrightModifier /\v<masked>\ze\s*%(;|\}|$|\/\/|\/\*)/
syntax match shapewrightModifier /\v<strided>\ze\s*\[/
syntax match shapewrightRepeat /\v<for>\ze\s*%(\h|\()/
syntax match shapewrightRepeat /\v%(<for>[^{;]*<in>[^{;]*%(\w|[)\]])\s)@<=\s*<step>\ze\s+[^ \t:=.,;)\]]/
syntax match shapewrightRepeat /\v<while>\ze\s*%(\w|[("|!\[_?-])/
syntax match shapewrightRepeat /\v%(<while>[^{;]*%(\w|[)\]])\s)@<=\s*<max>\ze\s+[^ \t:=.,;)\]]/
syntax match shapewrightRepeat /\v<%(break|continue)>\ze\s*%(;|\}|$|\/\/|\/\*)/
syntax match shapewrightRepeat /\v<in>\ze\s+[^ \t:=.,;)\]]/
syntax match shapewrightConditional /\v<if>\ze\s*%(\w|[("|!\[_?-])/
syntax match shapewrightConditional /\v<else>\ze\s*%(\{|<if>)/

" Types and functions

" The compiler's element types:
syntax keyword shapewrightType bool i8 i16 i32 i64 u8 u16 u32 u64 e4m3 e5m2 f16 bf16 f32 f64
syntax match shapewrightType /\v<%(bool|i8|i16|i32|i64|u8|u16|u32|u64|e4m3|e5m2|f16|bf16|f32|f64)>\ze\s*\(/
" written by `cargo xtask docs`.
syntax match shapewrightBuiltin /\v<%(rank|size|linear|continuous_linear|map2d|chain)>\ze\s*\(/
" The compiler's functions:
syntax match shapewrightBuiltin /\v<%(sqrt|rsqrt|exp|exp2|log|log2|log10|sin|cos|tan|atan|tanh|erf|cbrt|floor|ceil|round|abs|min|max|pow|atan2|hypot|copysign|fma|popcount|clz|ctz|ffs|brev|mulhi|clamp|isnan|cdiv|bit_and|bit_or|bit_xor|shift_left|shift_right|zeros|ones|full|iota|mma|matmul|select|gather|gather_masked|scatter|scatter_masked|cat|partition|shuffle|shuffle_up|shuffle_down|shuffle_xor|ballot|sum|prod|any|all|cumsum|cumprod)>\ze\s*\(/
" written by `cargo xtask docs`.
syntax match shapewrightBuiltin /\v<%(random|npy|initial|partition|specialize|tile|threads)>\ze\s*\(/
syntax match shapewrightBuiltin /\v<%(row_major|col_major|pass_through|%(left_|right_)?pad|embed|%(un)?merge)>\ze\s*\(/
syntax match shapewrightBuiltin /\v<%(replicate|insert|freeze|slice|xor|modulo|cyclic_shift)>\ze\s*\(/
syntax match shapewrightMember /\v%([^.]\.)@<=\h\w*/
syntax match shapewrightInitial /\v%(:\s*)@<=<%(zeros|ones|arange)>/
syntax match shapewrightNamespace /\v<gpu>\ze::/
syntax match shapewrightMacro /\v<reshape_map>!?\ze\s*\(/
syntax match shapewrightPart /\v<%(layout|offset)>\ze\s*:/
syntax match shapewrightEntry /\v<[it]\d+>/
syntax match shapewrightEntry /\v-@<=[it]\d+>/

" Strings and comments, which come last because they win

syntax match shapewrightEscape /\\./ contained
syntax region shapewrightString start=/"/ skip=/\\./ end=/"/ end=/$/ contains=shapewrightEscape,@Spell
syntax keyword shapewrightTodo TODO FIXME XXX NOTE contained
syntax region shapewrightComment start=+//+ end=/$/ contains=shapewrightTodo,@Spell keepend
syntax region shapewrightDocumentation start=+///\%(/\)\@!+ end=/$/ contains=shapewrightTodo,@Spell keepend
syntax region shapewrightComment start=+/\*+ end=+\*/+ contains=shapewrightTodo,@Spell

highlight default link shapewrightInteger Number
highlight default link shapewrightFloat Float
highlight default link shapewrightBoolean Boolean
highlight default link shapewrightHole Special
highlight default link shapewrightOperator Operator
highlight default link shapewrightDelimiter Delimiter
highlight default link shapewrightInclude Include
highlight default link shapewrightKeyword Keyword
highlight default link shapewrightKernel Keyword
highlight default link shapewrightKernelName Function
highlight default link shapewrightRunName Function
highlight default link shapewrightShapeName Identifier
highlight default link shapewrightModifier StorageClass
highlight default link shapewrightRepeat Repeat
highlight default link shapewrightConditional Conditional
highlight default link shapewrightType Type
highlight default link shapewrightCall Function
highlight default link shapewrightBuiltin Function
highlight default link shapewrightMember Identifier
highlight default link shapewrightInitial Constant
highlight default link shapewrightNamespace Include
highlight default link shapewrightMacro Macro
highlight default link shapewrightPart Label
highlight default link shapewrightEntry Constant
highlight default link shapewrightEscape SpecialChar
highlight default link shapewrightString String
highlight default link shapewrightTodo Todo
highlight default link shapewrightComment Comment
highlight default link shapewrightDocumentation SpecialComment

let b:current_syntax = 'shapewright'
