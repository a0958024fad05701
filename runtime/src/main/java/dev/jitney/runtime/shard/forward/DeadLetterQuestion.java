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
 * A task that checks which dead-letters a destination in another store would accept. The destination's shard answers at
 * once, because nothing is stored.
 *
 * @param number identifies this question among those of the source
 * @param inbox the inbox of the shard that hosts the destination
 * @param home the mailbox for the answer
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
        } finally { // also if the store cannot be read: the source waits for an answer
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
            // The shard reloads its state and sends the question again.
        }
    }
}
