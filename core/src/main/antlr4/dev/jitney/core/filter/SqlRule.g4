/*
 * The language of SQL filters and SQL rule actions (semantics reference 15.1; docs/guides/filters.md).
 *
 * One token of lookahead decides everything, so that parsing is linear in the text whatever the text is. For that the
 * grammar takes a little more than the language has, and the compiler (SqlCompiler) refuses the rest with a position:
 *
 * - "(" opens a condition everywhere, also inside arithmetic; where a value is expected, the condition inside has to be
 *   a plain value;
 * - a name may be followed by "." and by "(": what may stand before them is sys and user, and newid, property and p,
 *   which therefore are names like others elsewhere;
 * - the operand of IS NULL has to be a property.
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

// From the weakest binding to the strongest; operators of one level group to the left.

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
    | NOT? (inList | like)                          # membershipTail
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
    : REGULAR | BRACKETED | QUOTED
    ;

AND: 'AND';
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

// No meaning yet; names only when delimited.
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

// A delimiter inside is written twice.
STRING: '\'' (~['] | '\'\'')* '\'';
BRACKETED: '[' (~[\]] | ']]')* ']';
QUOTED: '"' (~["] | '""')* '"';

REGULAR: LETTER (LETTER | [\p{Nd}_])*;
PARAMETER: '@' LETTER (LETTER | [\p{Nd}_])*;

SPACE: [\p{White_Space}]+ -> skip;

// What was opened and never closed, and what belongs to no token: the parser names both with their position.
UNCLOSED
    : '\'' (~['] | '\'\'')*
    | '[' (~[\]] | ']]')*
    | '"' (~["] | '""')*
    ;
UNKNOWN: .;

fragment LETTER: [\p{L}];
fragment DIGIT: [0-9];
