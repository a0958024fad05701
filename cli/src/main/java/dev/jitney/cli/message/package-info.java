/**
 * Messages: sending, receiving, peeking, purging, canceling, dead letters. {@link dev.jitney.cli.message.EntityAddress} says where
 * a message is, {@link dev.jitney.cli.message.MessageDocument} is a message as JSON that loses nothing,
 * {@link dev.jitney.cli.message.MessageBatches} sends many, {@link dev.jitney.cli.message.Browser} looks at many without
 * touching them. Nothing here ever holds more than a batch.
 */
@NullMarked
package dev.jitney.cli.message;

import org.jspecify.annotations.NullMarked;
