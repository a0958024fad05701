package dev.jitney.runtime;

import dev.jitney.model.SubQueue;

/**
 * The fate of a message that an entity forwards and that its destination refuses.
 *
 * @param retried whether the message waits in the entity until the destination accepts it
 * @param subQueue the sub-queue of the entity for the message if it is not retried
 * @param reason the DeadLetterReason there
 * @param description the DeadLetterErrorDescription there
 */
public record TransferFailure(boolean retried, SubQueue subQueue, String reason, String description) {}
