package dev.jitney.core.filter;

/**
 * The limits for the size of a text (FILTER-23).
 *
 * @param characters length of the text
 * @param nodes operands and operators
 * @param depth nesting of operators, and nesting of parentheses; consecutive operators of the same precedence are one
 *     level
 * @param statements statements of an action
 */
record SyntaxLimits(int characters, int nodes, int depth, int statements) {
    static final SyntaxLimits SERVICE = new SyntaxLimits(1_024, 1_024, 32, 32);
}
