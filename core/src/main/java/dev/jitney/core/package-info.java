/**
 * The broker as a function. An edge or a timer sends a {@link dev.jitney.core.Command}; the shard that owns the queue
 * decides it: reading, never writing, it turns into records and a {@link dev.jitney.core.Reply} or a rejection. Applying a
 * record then changes memory and writes rows, without judging. Replies and {@link dev.jitney.core.Output outputs} leave
 * the shard when the rows are durable.
 *
 * <p>There is no I/O, clock, thread, logger or random source in this module: time and fresh lock tokens come in as
 * arguments, rows go out through ports. Everything here is called by one thread, that of the shard.
 *
 * <p>Depends on {@code dev.jitney.model}; only {@code runtime} drives it, gateways use its commands and replies.
 */
@NullMarked
package dev.jitney.core;

import org.jspecify.annotations.NullMarked;
