/**
 * The cost of filters: SQL filters one by one, and messages matched against all rules of a topic.
 * {@link dev.jitney.benchmarks.filter.FilterBenchmarks} runs them all.
 */
@NullMarked
package dev.jitney.benchmarks.filter;

import org.jspecify.annotations.NullMarked;
