/*
 * The language of SQL filters and SQL rule actions (semantics reference 15.1; docs/guides/filters.md).
 *
 * The parser needs one token of lookahead, so that parsing is linear for any text. For that the grammar accepts slightly
 * more than the language, and the compiler (SqlCompiler) refuses the rest with a position:
 *
 * - "(" opens a condition everywhere, also inside arithmetic. Where a value is expected, the condition must be a plain
 *   value.
 * - A name may be followed by "." and by "(". Only sys and user are valid before ".", and only newid, property and p before
 *   "(". Elsewhere they are ordinary names.
 * - The operand of IS NULL must be a property.
 * - CONTAINS and json(...) are only for searches, which also read bodies. In rules, CONTAINS is a REGULAR name.
 */
grammar SqlRule;

options { caseInsensitive = true; }

filter
    : condition EOF
    ;

action
    : (statement SEMICOLON?)+ EOF
    ;

statement
    : SET reference EQUAL sum           # setStatement
    | REMOVE reference                  # removeStatement
    ;

// From the weakest precedence to the strongest; operators of one level are left-associative.

condition
    : conjunction (OR conjunction)*
    ;

conjunction
    : negation (AND negation)*
    ;

negation
    : NOT* test
    ;

test
    : EXISTS LEFT reference RIGHT       # existsTest
    | sum tail?                         # sumTest
    ;

tail
    : comparison sum                                # comparisonTail
    | IS NOT? NULL                                  # isNullTail
    | NOT? (inList | like | contains)               # membershipTail
    ;

comparison
    : EQUAL | NOT_EQUAL | GREATER | GREATER_OR_EQUAL | LESS | LESS_OR_EQUAL
    ;

inList
    : IN LEFT sum (COMMA sum)* RIGHT
    ;

like
    : LIKE sum (ESCAPE sum)?
    ;

contains
    : CONTAINS sum
    ;

sum
    : product ((PLUS | MINUS) product)*
    ;

product
    : signed ((STAR | SLASH | PERCENT) signed)*
    ;

signed
    : (PLUS | MINUS)? atom
    ;

atom
    : constant                          # constantAtom
    | PARAMETER                         # parameterAtom
    | reference                         # referenceAtom
    | LEFT condition RIGHT              # groupAtom
    ;

constant
    : INTEGER | DECIMAL | APPROXIMATE | STRING | TRUE | FALSE | NULL
    ;

// A property, with or without a scope, or a call of a function.
reference
    : name (DOT name | LEFT (sum (COMMA sum)*)? RIGHT)?
    ;

name
    : REGULAR | BRACKETED | QUOTED | CONTAINS
    ;

AND: 'AND';
CONTAINS: 'CONTAINS';
ESCAPE: 'ESCAPE';
EXISTS: 'EXISTS';
FALSE: 'FALSE';
IN: 'IN';
IS: 'IS';
LIKE: 'LIKE';
NOT: 'NOT';
NULL: 'NULL';
OR: 'OR';
REMOVE: 'REMOVE';
SET: 'SET';
TRUE: 'TRUE';

// Reserved words without a meaning; they are names only when delimited.
RESERVED
    : 'BEGIN' | 'END' | 'BREAK' | 'CONTINUE' | 'GOTO' | 'IF' | 'ELSE' | 'WHILE' | 'TRY' | 'CATCH' | 'AS' | 'BETWEEN'
    | 'COALESCE' | 'CONVERT' | 'DECLARE' | 'NULLIF'
    ;

EQUAL: '=';
NOT_EQUAL: '<>' | '!=';
GREATER_OR_EQUAL: '>=';
GREATER: '>';
LESS_OR_EQUAL: '<=';
LESS: '<';
PLUS: '+';
MINUS: '-';
STAR: '*';
SLASH: '/';
PERCENT: '%';
LEFT: '(';
RIGHT: ')';
COMMA: ',';
DOT: '.';
SEMICOLON: ';';

INTEGER: DIGIT+;
DECIMAL: DIGIT+ '.' DIGIT+;
APPROXIMATE: DIGIT+ ('.' DIGIT+)? 'E' [+-]? DIGIT+;

// A delimiter inside the text is written twice.
STRING: '\'' (~['] | '\'\'')* '\'';
BRACKETED: '[' (~[\]] | ']]')* ']';
QUOTED: '"' (~["] | '""')* '"';

REGULAR: LETTER (LETTER | [\p{Nd}_])*;
PARAMETER: '@' LETTER (LETTER | [\p{Nd}_])*;

SPACE: [\p{White_Space}]+ -> skip;

// An unclosed delimiter, and a character that belongs to no token: the parser reports both with their position.
UNCLOSED
    : '\'' (~['] | '\'\'')*
    | '[' (~[\]] | ']]')*
    | '"' (~["] | '""')*
    ;
UNKNOWN: .;

fragment LETTER: [\p{L}];
fragment DIGIT: [0-9];
