package dev.jitney.core.queue.decide;

import dev.jitney.core.Situation;
import dev.jitney.core.partition.FragmentTokens;
import dev.jitney.core.queue.QueueView;
import java.util.UUID;

/** The creation of lock tokens; tokens of a partitioned entity contain the fragment (LOCK-4). */
final class Tokens {

    private Tokens() {}

    static UUID next(QueueView queue, Situation now) {
        UUID token = now.tokens().next();
        return queue.description().enablePartitioning()
                ? FragmentTokens.of(token, queue.id().fragment())
                : token;
    }
}
