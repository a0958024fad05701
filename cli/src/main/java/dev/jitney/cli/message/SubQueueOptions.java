package dev.jitney.cli.message;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.output.Failure;
import picocli.CommandLine.Option;

/** The options that select a dead-letter queue of an entity, as an alternative to {@code /dlq} after its name. */
public final class SubQueueOptions {
    @Option(names = "--dlq", order = 800, description = "Use the dead-letter queue of ENTITY, like ENTITY/dlq.")
    private boolean deadLetters;

    @Option(
            names = "--transfer-dlq",
            order = 801,
            description = "Use the messages of ENTITY that could not be forwarded, like ENTITY/tdlq.")
    private boolean transferDeadLetters;

    /**
     * Returns the sub-queue from the options, or that of the path if there are none.
     *
     * @throws Failure if they select another sub-queue than the path
     */
    public EntityAddress of(EntityAddress address) {
        if (deadLetters && transferDeadLetters) {
            throw Failure.badOption("--dlq and --transfer-dlq: Expected one of them, but got both.");
        }
        SubQueue named = deadLetters
                ? SubQueue.DEAD_LETTER_QUEUE
                : transferDeadLetters ? SubQueue.TRANSFER_DEAD_LETTER_QUEUE : address.subQueue();
        if (address.subQueue() != SubQueue.NONE && address.subQueue() != named) {
            throw Failure.badOption((deadLetters ? "--dlq" : "--transfer-dlq")
                    + ": Expected the same sub-queue as in ENTITY, but got '" + address + "'. Use only one of them.");
        }
        return address.in(named);
    }
}
