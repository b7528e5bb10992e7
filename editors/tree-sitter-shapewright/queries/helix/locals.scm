(kernel_item) @local.scope
(function_item) @local.scope
(function_statement) @local.scope
(block) @local.scope

(parameter name: (identifier) @local.definition.variable.parameter)

(identifier) @local.reference
