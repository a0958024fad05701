package dev.jitney.runtime.shard.forward;

import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Asks which dead-letters a destination in another store would take; its shard answers at once, because nothing is stored.
 *
 * @param number tells this question from others of the source
 * @param inbox that of the shard that hosts the destination
 * @param home where the answer goes
 */
record DeadLetterQuestion(
        long sourceId,
        HostedEntity destination,
        long number,
        List<ForwardedMessage> forwardedMessages,
        Inbox inbox,
        DeadLetterForwarder source,
        Mailbox home)
        implements ShardTask {

    @Override
    public void run() {
        Set<Long> welcome = new HashSet<>();
        Set<Long> unwelcome = new HashSet<>();
        try {
            inbox.judge(destination, forwardedMessages, welcome, unwelcome);
        } finally { // also if the store cannot be read: who asks waits for an answer
            answer(welcome, unwelcome);
        }
    }

    @Override
    public void refuse(Rejection reason) {
        answer(Set.of(), Set.of());
    }

    private void answer(Set<Long> welcome, Set<Long> unwelcome) {
        home.put(new Answer(source, sourceId, number, welcome, unwelcome));
    }

    /** The answer to a question. */
    private record Answer(
            DeadLetterForwarder source, long sourceId, long question, Set<Long> welcome, Set<Long> unwelcome)
            implements ShardTask {

        @Override
        public void run() {
            source.answered(sourceId, question, welcome, unwelcome);
        }

        @Override
        public void refuse(Rejection reason) {
            // The shard starts anew and asks again.
        }
    }
}
