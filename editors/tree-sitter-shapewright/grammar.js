/**
 * The grammar of Shapewright for editors: highlighting, folding, indentation.
 *
 * It takes every file that the compiler takes. Where items and statements end without a `;`, and where a `|`
 * closes a size, depends on more than the next token: `src/scanner.c` decides it by the compiler's rules.
 *
 * The words of the language are contextual: `map : [1, 2]` declares a shape called `map`. A word that is a
 * keyword where a name may stand too is listed in `_name` and becomes an `identifier` there. Everywhere else
 * tree-sitter itself reads it as a name.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** How tightly operators bind; a larger number is tighter. */
const PREC = {
  word_as_name: -2,
  elements: -1,
  conditional: 1,
  or: 2,
  and: 3,
  compare: 4,
  pipe: 5,
  range: 6,
  bit_or: 7,
  bit_xor: 8,
  bit_and: 9,
  shift: 10,
  add: 11,
  multiply: 12,
  prefix: 13,
  launch: 14,
  postfix: 15,
};

/** Words that start an item or a statement and stay names before an operator or a `:`. */
const ITEM_WORDS = [
  'use', 'mdspan', 'dim', 'const', 'map', 'unit', 'tiling', 'kernel', 'fn', 'run', 'assert', 'show'
];
const STATEMENT_WORDS = ['view', 'let', 'shared', 'async', 'for', 'while', 'break', 'continue', 'with', 'if'];
const CLAUSE_WORDS = ['with', 'expect', 'within', 'save'];
const LAUNCH_WORDS = ['cluster', 'grid', 'block'];

// The compiler's element types:
const ELEMENT_TYPES = [
  'bool', 'i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'e4m3', 'e5m2', 'f16', 'bf16', 'f32', 'f64'
];
// written by `cargo xtask docs`.

/** @param {RuleOrLiteral} rule */
const commaSeparated = rule => seq(rule, repeat(seq(',', rule)));

/** @param {RuleOrLiteral} rule */
const list = rule => optional(seq(commaSeparated(rule), optional(',')));

module.exports = grammar({
  name: 'shapewright',

  word: $ => $.identifier,

  externals: $ => [
    $._item_end,
    $._item_end_after_comma,
    $._head,
    $._statement_end,
    $._size_end,
    $._error_sentinel,
  ],

  extras: $ => [/[ \t\v\f\r\n\uFEFF]/, $.line_comment, $.doc_comment, $.block_comment],

  supertypes: $ => [$.item, $.statement, $.expression],

  // A comma stands before another element or before the next clause. Which it is, the second token after it decides
  // where that is a word of a clause.
  conflicts: $ => [[$.with_clause], [$.save_clause]],

  inline: $ => [$._terminator, $._element_type],

  rules: {
    source_file: $ => repeat(choice($.item, ';')),

    // Items

    item: $ => choice(
      $.use_item,
      $.shape_item,
      $.dim_item,
      $.const_item,
      $.map_item,
      $.unit_item,
      $.tiling_item,
      $.kernel_item,
      $.function_item,
      $.run_item,
      $.assert_item,
      $.show_item,
      $.expression_item,
    ),

    _terminator: $ => choice(';', $._item_end),

    use_item: $ => seq('use', field('path', $.string), $._terminator),

    shape_item: $ => seq(
      choice(
        field('name', $._name),
        seq('mdspan', optional(seq('<', field('rank', $._rank), '>')), field('name', $.identifier)),
      ),
      ':',
      field('value', $.expression),
      $._terminator,
    ),

    // What stands between `<` and `>` is compared with nothing.
    _rank: $ => choice($._operand, alias($.rank_sum, $.binary_expression)),

    rank_sum: $ => choice(
      ...[['+', PREC.add], ['-', PREC.add], ['*', PREC.multiply], ['/', PREC.multiply], ['%', PREC.multiply],
        ['#', PREC.multiply]].map(([operator, precedence]) => prec.left(precedence, seq(
          field('left', $._rank),
          field('operator', operator),
          field('right', $._rank),
        ))),
    ),

    dim_item: $ => seq(
      'dim',
      commaSeparated(field('name', $.identifier)),
      optional(seq(optional(','), 'where', commaSeparated(field('fact', $.expression)))),
      choice($._terminator, seq(',', choice(';', $._item_end_after_comma))),
    ),

    const_item: $ => seq('const', $._definition),
    map_item: $ => seq('map', $._definition),
    unit_item: $ => seq('unit', $._definition),
    tiling_item: $ => seq('tiling', $._definition),

    _definition: $ => seq(field('name', $.identifier), '=', field('value', $.expression), $._terminator),

    assert_item: $ => seq('assert', field('value', $.expression), $._terminator),
    show_item: $ => seq('show', field('value', $.expression), $._terminator),
    expression_item: $ => seq($.expression, $._terminator),

    // Kernels

    kernel_item: $ => seq(
      'kernel',
      field('name', $.identifier),
      optional(field('generics', $.generics)),
      field('parameters', $.parameters),
      repeat(choice($.where_clause, $.tune_clause, $.launch_clause)),
      field('body', $.block),
    ),

    generics: $ => seq('[', list($.generic), ']'),

    generic: $ => choice(
      seq(field('name', $.identifier), '=', field('default', $.expression)),
      seq(
        field('name', $.identifier),
        ':',
        field('type', $._element_type),
        repeat(seq('|', field('type', $._element_type))),
        optional(seq('=', field('default', $._element_type))),
      ),
    ),

    where_clause: $ => seq('where', commaSeparated(field('fact', $.expression))),

    tune_clause: $ => seq('tune', field('arguments', $.arguments)),

    parameters: $ => seq('(', list($.parameter), ')'),

    parameter: $ => seq(
      field('name', $.identifier),
      ':',
      optional('mut'),
      field('type', $._element_type),
      optional(field('shape', $.list)),
      optional(field('strides', $.strides)),
    ),

    strides: $ => seq('strided', $.list),

    _element_type: $ => choice(alias(choice(...ELEMENT_TYPES), $.element_type), $.identifier),

    launch_clause: $ => seq(choice(...LAUNCH_WORDS), field('arguments', $.arguments)),

    // Functions

    function_item: $ => seq(
      'fn',
      $._function_head,
      choice(field('body', $.block), seq('=', field('value', $.expression), $._terminator)),
    ),

    function_statement: $ => seq(
      'fn',
      $._head,
      $._function_head,
      choice(field('body', $.block), seq('=', field('value', $.expression), $._end)),
    ),

    _function_head: $ => seq(
      field('name', $.identifier),
      optional(field('generics', alias($.function_generics, $.generics))),
      field('parameters', alias($.function_parameters, $.parameters)),
      optional(seq('->', $._type)),
    ),

    // What they stand for follows from the arguments of a call.
    function_generics: $ => seq('[', list(alias($.function_generic, $.generic)), ']'),

    function_generic: $ => field('name', $.identifier),

    function_parameters: $ => seq('(', list(alias($.function_parameter, $.parameter)), ')'),

    function_parameter: $ => seq(field('name', $.identifier), optional(seq(':', $._type))),

    _type: $ => seq(field('type', $._element_type), optional(field('shape', $.list))),

    // Runs

    run_item: $ => seq(
      'run',
      field('kernel', $.identifier),
      optional(field('generics', $.generic_values)),
      field('arguments', $.arguments),
      repeat(seq(optional(','), choice($.with_clause, $.expect_clause, $.within_clause, $.save_clause))),
      choice($._terminator, seq(',', ';')),
    ),

    generic_values: $ => seq('[', list($.named_argument), ']'),

    with_clause: $ => seq('with', commaSeparated($.binding)),

    binding: $ => seq(field('name', $._clause_name), '=', field('value', $.expression)),

    expect_clause: $ => seq('expect', $.expression),

    within_clause: $ => seq('within', $.expression),

    save_clause: $ => seq('save', commaSeparated($.saved)),

    saved: $ => seq(field('name', $._clause_name), ':', field('path', $.string)),

    // A word of a clause is a name where `=` or `:` follows.
    _clause_name: $ => choice(
      $.identifier,
      prec(PREC.word_as_name, alias(choice(...CLAUSE_WORDS), $.identifier)),
    ),

    // Statements

    block: $ => seq('{', repeat(choice($.statement, ';')), '}'),

    statement: $ => choice(
      $.view_statement,
      $.let_statement,
      $.const_statement,
      $.map_statement,
      $.function_statement,
      $.assert_statement,
      $.shared_statement,
      $.for_statement,
      $.while_statement,
      $.leave_statement,
      $.with_statement,
      $.if_statement,
      $.copy_statement,
      $.assignment,
      $.expression_statement,
    ),

    // A word that starts a statement is a name unless `_head` follows, the empty token before another word.
    _end: $ => choice(';', $._statement_end),

    view_statement: $ => seq(
      'view',
      $._head,
      field('name', $.identifier),
      '=',
      field('source', $.expression),
      optional(seq('via', field('map', $.expression))),
      optional(seq('per', field('unit', $.expression))),
      optional('masked'),
      $._end,
    ),

    let_statement: $ => seq(
      'let',
      $._head,
      choice(
        seq(optional('mut'), field('name', $.identifier)),
        field('name', alias('mut', $.identifier)),
        field('name', $.underscore),
      ),
      optional(seq(':', $._type)),
      '=',
      field('value', $.expression),
      $._end,
    ),

    const_statement: $ => seq('const', $._head, $._statement_definition),
    map_statement: $ => seq('map', $._head, $._statement_definition),

    _statement_definition: $ => seq(field('name', $.identifier), '=', field('value', $.expression), $._end),

    assert_statement: $ => seq('assert', optional($._head), field('value', $.expression), $._end),

    shared_statement: $ => seq(
      'shared',
      $._head,
      field('name', $.identifier),
      ':',
      field('type', $._element_type),
      field('shape', $.list),
      optional(seq('|>', field('layout', $.expression))),
      $._end,
    ),

    for_statement: $ => seq(
      'for',
      optional($._head),
      choice(field('iterator', $.identifier), $.iterators),
      'in',
      field('domain', $.expression),
      optional(seq('step', field('step', $.expression))),
      field('body', $.block),
    ),

    while_statement: $ => seq(
      'while',
      optional($._head),
      field('condition', $.expression),
      optional(seq('max', field('most', $.expression))),
      field('body', $.block),
    ),

    leave_statement: $ => prec(1, seq(choice('break', 'continue'), $._end)),

    iterators: $ => seq('(', list(field('iterator', $.identifier)), ')'),

    with_statement: $ => seq('with', $._head, field('domain', $.expression), field('body', $.block)),

    if_statement: $ => prec.right(seq(
      'if',
      optional($._head),
      field('condition', $.expression),
      field('consequence', $.block),
      optional(seq('else', field('alternative', choice($.block, $.if_statement)))),
    )),

    copy_statement: $ => seq(
      'async',
      $._head,
      field('target', $.expression),
      '=',
      field('value', $.expression),
      $._end,
    ),

    assignment: $ => seq(
      field('target', $.expression),
      field('operator', choice('=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=')),
      field('value', $.expression),
      $._end,
    ),

    expression_statement: $ => seq($.expression, $._end),

    // Expressions

    expression: $ => choice($._operand, $.binary_expression, $.range_expression),

    _operand: $ => choice(
      $._name,
      $.integer,
      $.float,
      $.string,
      $.boolean,
      $.underscore,
      $.question,
      $.parenthesized_expression,
      $.tuple,
      $.unit,
      $.list,
      $.size_expression,
      $.group,
      $.if_expression,
      $.reshape_map,
      $.path,
      $.call_expression,
      $.bracket_expression,
      $.member_expression,
      $.launch,
      $.prefix_expression,
    ),

    // Before an operand these words are what they say; before anything else they are names.
    _name: $ => choice(
      $.identifier,
      prec(PREC.word_as_name, alias(
        choice(...ITEM_WORDS, ...STATEMENT_WORDS, 'gpu', 'reshape_map'),
        $.identifier,
      )),
    ),

    binary_expression: $ => choice(
      ...[
        ['|>', PREC.pipe],
        ['||', PREC.or],
        ['&&', PREC.and],
        ['==', PREC.compare],
        ['!=', PREC.compare],
        ['<', PREC.compare],
        ['<=', PREC.compare],
        ['>', PREC.compare],
        ['>=', PREC.compare],
        ['|', PREC.bit_or],
        ['^', PREC.bit_xor],
        ['&', PREC.bit_and],
        ['<<', PREC.shift],
        ['>>', PREC.shift],
        ['+', PREC.add],
        ['-', PREC.add],
        ['*', PREC.multiply],
        ['/', PREC.multiply],
        ['%', PREC.multiply],
        ['#', PREC.multiply],
      ].map(([operator, precedence]) => prec.left(precedence, seq(
        field('left', $.expression),
        field('operator', operator),
        field('right', $.expression),
      ))),
    ),

    range_expression: $ => prec.left(PREC.range, seq(
      field('low', $.expression),
      '..',
      field('high', $.expression),
    )),

    prefix_expression: $ => prec(PREC.prefix, seq(field('operator', choice('-', '!', '~')), field('operand', $._operand))),

    call_expression: $ => prec(PREC.postfix, seq(field('function', $._operand), field('arguments', $.arguments))),

    // `shape[(0) / 2]`, `ys[i, j]`
    bracket_expression: $ => prec(PREC.postfix, seq(field('base', $._operand), field('content', $.list))),

    member_expression: $ => prec(PREC.postfix, seq(field('base', $._operand), '.', field('member', $.identifier))),

    // `cluster(1) block(384)`; one clause alone is a call.
    launch: $ => prec.right(PREC.launch, seq($.call_expression, repeat1($.launch_clause))),

    arguments: $ => seq('(', list(choice($.expression, $.via_expression, $.named_argument)), ')'),

    // `partition(x via m, [64, 64])`
    via_expression: $ => seq(field('source', $.expression), 'via', field('map', $.expression)),

    named_argument: $ => seq(field('name', $._name), ':', field('value', $.expression)),

    parenthesized_expression: $ => seq('(', $.expression, ')'),

    tuple: $ => seq('(', optional($._elements), ')'),

    unit: $ => seq('(', field('domain', optional($._elements)), ';', field('box', optional($._elements)), ')'),

    list: $ => seq('[', optional($._elements), ']'),

    // `(a)` is a group and `(a,)` a tuple.
    _elements: $ => prec(PREC.elements, seq(commaSeparated($.expression), optional(','))),

    size_expression: $ => seq('|', $.expression, alias($._size_end, '|')),

    group: $ => seq('{', list($.group_entry), '}'),

    group_entry: $ => seq(
      field('lower', $.expression),
      ':',
      field('transform', $.expression),
      optional(seq('=>', field('upper', $.expression))),
    ),

    if_expression: $ => seq(
      'if',
      optional($._head),
      field('condition', $.expression),
      '{', field('consequence', $.expression), '}',
      'else',
      field('alternative', choice(seq('{', $.expression, '}'), $.if_expression)),
    ),

    reshape_map: $ => seq(
      optional(seq('gpu', '::')),
      'reshape_map',
      optional('!'),
      '(',
      field('local', $.list),
      '|',
      field('threads', $.list),
      optional(choice(',', seq('=>', repeat(choice(',', $.layout, $.offset))))),
      ')',
    ),

    layout: $ => seq('layout', ':', $.list),

    offset: $ => seq('offset', ':', $.expression),

    // `gpu::` before any other name
    path: $ => seq('gpu', '::', field('name', $.identifier)),

    // Tokens

    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z][A-Za-z0-9_]*)*/,

    integer: _ => token(choice(/0[xX][0-9a-fA-F_]+(_ic)?/, /[0-9][0-9_]*(_ic)?/)),

    float: _ => token(choice(
      /[0-9][0-9_]*\.[0-9][0-9_]*([eE][+-]?[0-9][0-9_]*)?/,
      /[0-9][0-9_]*[eE][+-]?[0-9][0-9_]*/,
    )),

    string: $ => seq(
      '"',
      repeat(choice($.string_content, $.escape_sequence)),
      token.immediate('"'),
    ),

    string_content: _ => token.immediate(prec(1, /[^"\\\r\n]+/)),

    escape_sequence: _ => token.immediate(/\\[^\r\n]/),

    boolean: _ => choice('true', 'false'),

    underscore: _ => '_',

    question: _ => '?',

    // Exactly three slashes make documentation.
    line_comment: _ => token(choice(/\/\/([^\/\r\n][^\r\n]*)?/, /\/\/\/\/[^\r\n]*/)),

    doc_comment: _ => token(/\/\/\/([^\/\r\n][^\r\n]*)?/),

    block_comment: _ => token(/\/\*[^*]*\*+([^/*][^*]*\*+)*\//),
  },
});
