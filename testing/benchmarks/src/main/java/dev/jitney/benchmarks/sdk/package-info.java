/**
 * {@code ./jitney bench sdk}: the throughput of the official Java SDK.
 *
 * <p>Read {@link dev.jitney.benchmarks.sdk.SdkClient} first (the ways to send and to receive), then
 * {@link dev.jitney.benchmarks.sdk.SdkFigure} (the result of each).
 */
@NullMarked
package dev.jitney.benchmarks.sdk;

import org.jspecify.annotations.NullMarked;
