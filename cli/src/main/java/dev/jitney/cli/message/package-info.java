/**
 * Messages: sending, receiving, peeking, purging, canceling, dead letters. {@link dev.jitney.cli.message.EntityAddress} is the
 * address of messages, {@link dev.jitney.cli.message.MessageDocument} is a message as JSON without loss,
 * {@link dev.jitney.cli.message.MessageBatches} sends many, and {@link dev.jitney.cli.message.Browser} peeks at many. No class
 * here holds more than one batch in memory.
 */
@NullMarked
package dev.jitney.cli.message;

import org.jspecify.annotations.NullMarked;
