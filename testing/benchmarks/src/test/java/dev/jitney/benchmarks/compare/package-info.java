/** Tests of the comparison's own parts, without another broker. */
@NullMarked
package dev.jitney.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
