package dev.jitney.core.filter;

/**
 * How large a text may be (FILTER-23).
 *
 * @param characters length of the text
 * @param nodes operands and operators
 * @param depth operators around each other, and parentheses around each other; operators of one precedence in a row
 *     are one level
 * @param statements statements of an action
 */
record SyntaxLimits(int characters, int nodes, int depth, int statements) {
    static final SyntaxLimits SERVICE = new SyntaxLimits(1_024, 1_024, 32, 32);
}
