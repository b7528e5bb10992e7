(kernel_item) @local.scope
(block) @local.scope

(parameter name: (identifier) @local.definition.variable.parameter)

(identifier) @local.reference
