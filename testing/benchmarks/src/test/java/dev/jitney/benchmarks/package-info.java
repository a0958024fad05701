/** The benchmark measures what it says, and ends. */
@NullMarked
package dev.jitney.benchmarks;

import org.jspecify.annotations.NullMarked;
