/** Tests of the load and its measurement. */
@NullMarked
package dev.jitney.benchmarks.load;

import org.jspecify.annotations.NullMarked;
