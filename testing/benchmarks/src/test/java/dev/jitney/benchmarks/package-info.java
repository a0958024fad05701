/** Tests that each benchmark prints its measurements and ends. */
@NullMarked
package dev.jitney.benchmarks;

import org.jspecify.annotations.NullMarked;
