package dev.jitney.runtime;

import dev.jitney.model.IncomingMessage;
import dev.jitney.model.SubQueue;

/**
 * The removal of a message and the sending of another one in its place, in one commit: a crash leaves either both or neither.
 *
 * @param subQueue       the queue or sub-queue of the message to remove
 * @param sequenceNumber its number; the message may be active, deferred or scheduled, and must not be locked
 * @param destination    a queue or topic that gets the new message, or the subscription that has the removed one
 * @param message        the new message
 */
public record Replacement(SubQueue subQueue, long sequenceNumber, Entity destination, IncomingMessage message) {}
