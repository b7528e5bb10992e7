// Where items, statements and sizes end.
//
// The compiler's rules, as far as they need more than the next token: the end of a line ends an item unless the
// next line goes on with it; a statement ends before a word that cannot be a part of it; a `|` closes a size
// unless it belongs to another operator. Where a word may start a statement or be a name of its own, the empty token
// `HEAD` says that another word follows and that it does start one. The ends of items and statements are empty tokens before the white space
// that follows, so comments there belong to neither.

#include "tree_sitter/parser.h"

#include <string.h>

enum TokenType {
    ITEM_END,
    ITEM_END_AFTER_COMMA,
    HEAD,
    STATEMENT_END,
    SIZE_END,
    // Never in the grammar: valid only while the parser recovers from an error and tries everything.
    ERROR_SENTINEL,
};

// No word of the language is longer.
enum { LONGEST_WORD = 16 };

static bool is_letter(int32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(int32_t c) {
    return c >= '0' && c <= '9';
}

static bool is_end_of_line(int32_t c) {
    return c == '\n' || c == '\r';
}

static bool is_blank(int32_t c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == 0xFEFF;
}

static void advance(TSLexer *lexer) {
    lexer->advance(lexer, false);
}

// Passes white space. Tells whether a line ended.
static bool skip_white_space(TSLexer *lexer) {
    bool line_ended = false;
    while (is_blank(lexer->lookahead) || is_end_of_line(lexer->lookahead)) {
        line_ended |= is_end_of_line(lexer->lookahead);
        lexer->advance(lexer, true);
    }
    return line_ended;
}

static bool skip_block_comment(TSLexer *lexer) {
    bool line_ended = false;
    int32_t before = 0;
    while (!lexer->eof(lexer)) {
        int32_t c = lexer->lookahead;
        line_ended |= is_end_of_line(c);
        advance(lexer);
        if (before == '*' && c == '/') break;
        before = c;
    }
    return line_ended;
}

// Passes white space and comments up to the next token.
//
// `*slash` tells whether that token starts with a `/`, which then is passed too: only the character after it
// tells it from a comment.
static bool skip_trivia(TSLexer *lexer, bool *slash) {
    bool line_ended = false;
    *slash = false;
    for (;;) {
        line_ended |= skip_white_space(lexer);
        if (lexer->lookahead != '/') return line_ended;
        advance(lexer);
        if (lexer->lookahead == '/') {
            while (!lexer->eof(lexer) && !is_end_of_line(lexer->lookahead)) advance(lexer);
        } else if (lexer->lookahead == '*') {
            advance(lexer);
            line_ended |= skip_block_comment(lexer);
        } else {
            *slash = true;
            return line_ended;
        }
    }
}

// Reads a name; a longer one than any word of the language is cut.
static void read_name(TSLexer *lexer, char word[LONGEST_WORD + 1]) {
    unsigned length = 0;
    for (;;) {
        int32_t c = lexer->lookahead;
        if (!is_letter(c) && !is_digit(c) && c != '-') break;
        // A hyphen before anything but a letter is an operator; the name has ended, and no word has a hyphen.
        advance(lexer);
        if (c == '-' && (!is_letter(lexer->lookahead) || lexer->lookahead == '_')) break;
        if (length < LONGEST_WORD) word[length++] = (char)c;
    }
    word[length] = 0;
}

static bool is_any(const char *word, const char *const *words) {
    for (; *words; words++) {
        if (strcmp(word, *words) == 0) return true;
    }
    return false;
}

// Whether `=` comes next, and not `==` or `=>`.
static bool at_equal(TSLexer *lexer) {
    if (lexer->lookahead != '=') return false;
    advance(lexer);
    return lexer->lookahead != '=' && lexer->lookahead != '>';
}

// Whether `:` or `=` comes next, after which the name before is declared.
static bool at_definition(TSLexer *lexer) {
    bool slash;
    skip_trivia(lexer, &slash);
    if (slash) return false;
    if (lexer->lookahead == ':') {
        advance(lexer);
        return lexer->lookahead != ':';
    }
    return at_equal(lexer);
}

// Whether the item ends before a line that starts with a word.
static bool item_ends_before_word(TSLexer *lexer, bool after_comma) {
    static const char *const clauses[] = {
        "where", "grid", "block", "cluster", "expect", "within", "with", "save", "else", NULL,
    };
    static const char *const heads[] = {
        "use", "mdspan", "dim", "const", "map", "unit", "tiling", "kernel", "fn", "run", "assert", "show", NULL,
    };
    char word[LONGEST_WORD + 1];
    read_name(lexer, word);
    if (!after_comma) return !is_any(word, clauses) || at_definition(lexer);
    // After a comma another name is the next element, unless it can only start an item.
    if (at_definition(lexer)) return true;
    return is_any(word, heads) && (is_letter(lexer->lookahead) || lexer->lookahead == '"');
}

// Whether the item that is complete ends before the next token, which starts a line unless it is the end of the file.
static bool item_ends(TSLexer *lexer, bool after_comma) {
    int32_t c = lexer->lookahead;
    if (lexer->eof(lexer)) return true;
    if (is_letter(c)) return item_ends_before_word(lexer, after_comma);
    if (after_comma) return false;
    if (c == '|') {
        advance(lexer);
        return lexer->lookahead != '|' && lexer->lookahead != '>';
    }
    if (c == '!') {
        advance(lexer);
        return lexer->lookahead != '=';
    }
    return is_digit(c) || c == '(' || c == '[' || c == '"' || c == '?';
}

// Whether the statement that is complete ends before the next token without a `;`.
static bool statement_ends(TSLexer *lexer) {
    static const char *const clauses[] = {"via", "per", "masked", "else", NULL};
    static const char *const launches[] = {"cluster", "grid", "block", NULL};
    if (lexer->lookahead == '}') return true;
    if (!is_letter(lexer->lookahead)) return false;
    char word[LONGEST_WORD + 1];
    read_name(lexer, word);
    if (is_any(word, clauses)) return at_definition(lexer);
    if (!is_any(word, launches)) return true;
    bool slash;
    skip_trivia(lexer, &slash);
    return slash || lexer->lookahead != '(';
}

// Whether an operand comes next.
static bool at_operand(TSLexer *lexer) {
    bool slash;
    skip_trivia(lexer, &slash);
    if (slash) return false;
    int32_t c = lexer->lookahead;
    if (c == '!' || c == '-') {
        advance(lexer);
        return lexer->lookahead != '=';
    }
    if (c == '|') {
        advance(lexer);
        return lexer->lookahead != '|' && lexer->lookahead != '>';
    }
    return is_letter(c) || is_digit(c) || c == '(' || c == '[' || c == '{' || c == '"' || c == '?' || c == '~';
}

// Whether the next bar closes a size. Of `||`, the first one does unless an operand follows.
static bool size_ends(TSLexer *lexer) {
    skip_white_space(lexer);
    if (lexer->lookahead != '|') return false;
    advance(lexer);
    lexer->mark_end(lexer);
    if (lexer->lookahead == '>') return false;
    if (lexer->lookahead != '|') return true;
    advance(lexer);
    return !at_operand(lexer);
}

// Finds an empty token; `ERROR_SENTINEL` if there is none.
static enum TokenType empty_token(TSLexer *lexer, const bool *valid) {
    lexer->mark_end(lexer);
    bool slash;
    bool line_ended = skip_trivia(lexer, &slash);
    if (slash) return ERROR_SENTINEL;
    if (line_ended || lexer->eof(lexer)) {
        if (valid[ITEM_END]) return item_ends(lexer, false) ? ITEM_END : ERROR_SENTINEL;
        if (valid[ITEM_END_AFTER_COMMA]) return item_ends(lexer, true) ? ITEM_END_AFTER_COMMA : ERROR_SENTINEL;
    }
    if (valid[HEAD] && is_letter(lexer->lookahead)) return HEAD;
    return valid[STATEMENT_END] && statement_ends(lexer) ? STATEMENT_END : ERROR_SENTINEL;
}

bool tree_sitter_shapewright_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    (void)payload;
    enum TokenType found = ERROR_SENTINEL;
    if (valid[ERROR_SENTINEL]) return false;
    if (!valid[SIZE_END]) {
        found = empty_token(lexer, valid);
    } else if (size_ends(lexer)) {
        found = SIZE_END;
    }
    lexer->result_symbol = found;
    return found != ERROR_SENTINEL;
}

// The scanner remembers nothing.

void *tree_sitter_shapewright_external_scanner_create(void) {
    return NULL;
}

void tree_sitter_shapewright_external_scanner_destroy(void *payload) {
    (void)payload;
}

unsigned tree_sitter_shapewright_external_scanner_serialize(void *payload, char *buffer) {
    (void)payload;
    (void)buffer;
    return 0;
}

void tree_sitter_shapewright_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    (void)payload;
    (void)buffer;
    (void)length;
}
