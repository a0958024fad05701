/** The cost of the messaging store alone, without a broker above it. */
@NullMarked
package dev.jitney.benchmarks.store;

import org.jspecify.annotations.NullMarked;
