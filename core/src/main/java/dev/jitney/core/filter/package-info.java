/**
 * The filters and actions of rules: their SQL-like language, correlation filters, and the evaluation of all rules of a
 * topic (semantics chapter 15; docs/guides/filters.md).
 *
 * <p>Read in this order: the grammar {@code SqlRule.g4}, the entry point {@link dev.jitney.core.filter.FilterLanguage},
 * {@link dev.jitney.core.filter.CompiledFilter}, {@link dev.jitney.core.filter.CompiledAction},
 * {@link dev.jitney.core.filter.RuleSet}; then the input of filters in {@link dev.jitney.core.filter.property} and
 * {@link dev.jitney.core.filter.value}, and that of searches in {@link dev.jitney.core.filter.body}. A text goes through {@code SqlText} (limits, parse tree) and {@code SqlCompiler}
 * (nodes).
 *
 * <p>All rules of a topic evaluate a message within a {@link dev.jitney.core.filter.StepBudget}. An operation that costs
 * more than its operator takes steps before it starts, and fails if there are too few.
 *
 * <p>Everything is a function of its arguments: new GUIDs come from the {@link dev.jitney.core.filter.Evaluation}.
 * Compiled filters and actions are immutable and can be shared; a {@code RuleSet} and the properties of a message belong
 * to one thread. Only this package uses the runtime of the parser (docs/adr/0009).
 */
@NullMarked
package dev.jitney.core.filter;

import org.jspecify.annotations.NullMarked;
