/**
 * The broker as a function. A gateway or a timer sends a {@link dev.jitney.core.Command}. The shard that owns the queue
 * decides it: it reads, writes nothing, and turns the command into records and a {@link dev.jitney.core.Reply} or a
 * rejection. Applying a record then changes memory and writes rows, without further checks. Replies and
 * {@link dev.jitney.core.Output outputs} leave the shard after the rows are durable.
 *
 * <p>This module has no I/O, clock, thread, logger or random source: time and new lock tokens are arguments, and rows are
 * written through ports. All code here runs on one thread, that of the shard.
 *
 * <p>Depends on {@code dev.jitney.model}. Only {@code runtime} runs it; gateways use its commands and replies.
 */
@NullMarked
package dev.jitney.core;

import org.jspecify.annotations.NullMarked;
