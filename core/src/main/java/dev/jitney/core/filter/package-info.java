/**
 * Which messages a rule takes, and what it does to its copies: the SQL-like language of filters and actions,
 * correlation filters, and the rules of a topic together (semantics chapter 15; docs/guides/filters.md).
 *
 * <p>Read in this order: the grammar {@code SqlRule.g4}, {@link dev.jitney.core.filter.FilterLanguage} where everything
 * begins, {@link dev.jitney.core.filter.CompiledFilter}, {@link dev.jitney.core.filter.CompiledAction},
 * {@link dev.jitney.core.filter.RuleSet}; then {@link dev.jitney.core.filter.property} and
 * {@link dev.jitney.core.filter.value}, what filters see. A text goes through {@code SqlText} (limits, parse tree) and
 * {@code SqlCompiler} (nodes).
 *
 * <p>All rules of a topic judge a message within a {@link dev.jitney.core.filter.StepBudget}: whatever costs more than its operator
 * does takes steps before it works, and fails if there are too few.
 *
 * <p>Everything is a function of its arguments: fresh GUIDs are handed in with an
 * {@link dev.jitney.core.filter.Evaluation}. What is compiled is immutable and may be shared; a {@code RuleSet} and
 * the properties of a message belong to one thread. The parser's runtime is known here and nowhere else
 * (docs/adr/0009).
 */
@NullMarked
package dev.jitney.core.filter;

import org.jspecify.annotations.NullMarked;
