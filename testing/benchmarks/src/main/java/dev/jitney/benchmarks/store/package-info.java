/** What the messaging store costs by itself, without a broker above it. */
@NullMarked
package dev.jitney.benchmarks.store;

import org.jspecify.annotations.NullMarked;
