(kernel_item body: (_) @function.inside) @function.around
(function_item body: (_) @function.inside) @function.around
(function_item value: (_) @function.inside) @function.around
(function_statement body: (_) @function.inside) @function.around
(function_statement value: (_) @function.inside) @function.around

(parameters (parameter) @parameter.inside)
(arguments (_) @parameter.inside)

[(line_comment) (block_comment)] @comment.inside
(doc_comment)+ @comment.around

(assert_item) @test.around
