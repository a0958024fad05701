package dev.jitney.cli.message;

import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.output.Failure;
import picocli.CommandLine.Option;

/** The options that choose the dead letters of an entity, for those who do not want to write {@code /dlq} behind it. */
final class SubQueueOptions {
    @Option(names = "--dlq", order = 800, description = "The dead letters of ENTITY, as with /dlq behind it.")
    private boolean deadLetters;

    @Option(
            names = "--transfer-dlq",
            order = 801,
            description = "The messages of ENTITY that could not be forwarded, as with /tdlq behind it.")
    private boolean transferDeadLetters;

    /**
     * The sub-queue that the options name, or else that of the path.
     *
     * @throws Failure if they name another one than the path
     */
    EntityAddress of(EntityAddress address) {
        if (deadLetters && transferDeadLetters) {
            throw Failure.badOption("--dlq and --transfer-dlq: Expected one of them.");
        }
        SubQueue named = deadLetters
                ? SubQueue.DEAD_LETTER_QUEUE
                : transferDeadLetters ? SubQueue.TRANSFER_DEAD_LETTER_QUEUE : address.subQueue();
        if (address.subQueue() != SubQueue.NONE && address.subQueue() != named) {
            throw Failure.badOption(
                    (deadLetters ? "--dlq" : "--transfer-dlq") + ": Expected the same sub-queue as that of"
                            + " ENTITY, but got '" + address + "'. Leave one of them out.");
        }
        return address.in(named);
    }
}
