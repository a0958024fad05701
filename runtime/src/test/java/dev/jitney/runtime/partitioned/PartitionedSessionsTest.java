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

/** The next session of a partitioned queue, which all partitions are asked for, when some of them fail. */
class PartitionedSessionsTest extends PartitionedScenario {

    @Test
    @DisplayName(
            "SESS-23, PART-55: whoever holds a session hears nothing of a partition that had one too and has failed")
    void anotherPartitionFails() throws StoreException {
        // given sessions in two partitions of one store, of which one is to be read, and in one of another store
        create(QueueDescription.named("sq").requiresSession(true));
        send(f.entity("sq"), keyed("m", keyOf(4), null));
        f.crash();
        Entity sq = f.entity("sq");
        send(sq, keyed("m", keyOf(0), null));
        send(sq, keyed("m", keyOf(1), null));
        // when the reading fails after the other partition has given its session
        f.stores.get(((ServedEntity) sq).shard().index()).failNextRead();
        Listening listening = new Listening();
        listening.receiver =
                sq.acceptSession(null, ReceiveMode.PEEK_LOCK, 0, Runnable::run, listening, listening.attached);
        f.settle();
        // then the session of the other store is held
        assertThat(((Reply.SessionAccepted) listening.attached.reply()).sessionId())
                .isEqualTo(keyOf(1));
        assertThat(listening.closed).isNull();
        listening.receiver.setCredit(1, false);
        f.settle();
        assertThat(listening.messages).hasSize(1);
    }
}
