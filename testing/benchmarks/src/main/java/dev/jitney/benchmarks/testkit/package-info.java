/**
 * Measurements of the test kit. {@link dev.jitney.benchmarks.testkit.TestKitRun} runs in a Java machine of its own, because a
 * first start happens once in each.
 */
@NullMarked
package dev.jitney.benchmarks.testkit;

import org.jspecify.annotations.NullMarked;
