package dev.jitney.runtime.partitioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Reply;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests for the next session of a partitioned queue, which go to all partitions, when some of them fail. */
class PartitionedSessionsTest extends PartitionedScenario {

    @Test
    @DisplayName(
            "SESS-23, PART-55: the holder of a session gets no events of a failed partition that also had a session")
    void anotherPartitionFails() throws StoreException {
        // given sessions in two partitions of one store, of which one is read from disk, and in one of another store
        create(QueueDescription.named("sq").requiresSession(true));
        send(f.entity("sq"), keyed("m", keyOf(4), null));
        f.crash();
        Entity sq = f.entity("sq");
        send(sq, keyed("m", keyOf(0), null));
        send(sq, keyed("m", keyOf(1), null));
        // when the read fails after the other partition has assigned its session
        f.stores.get(((ServedEntity) sq).shard().index()).failNextRead();
        Listening listening = new Listening();
        listening.receiver =
                sq.acceptSession(null, ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
        f.settle();
        // then the receiver holds the session of the other store
        assertThat(((Reply.SessionAccepted) listening.attached.reply()).sessionId())
                .isEqualTo(keyOf(1));
        assertThat(listening.closed).isNull();
        listening.receiver.setCredit(1, false);
        f.settle();
        assertThat(listening.messages).hasSize(1);
    }
}
