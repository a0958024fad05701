/**
 * JMH benchmarks of the message codec. {@link dev.jitney.benchmarks.codec.CodecBenchmarks} is their main class; nothing
 * depends on this package.
 */
@NullMarked
package dev.jitney.benchmarks.codec;

import org.jspecify.annotations.NullMarked;
