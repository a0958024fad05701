package dev.jitney.runtime.shard.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Forwarding to a store that neither works nor fails")
class HungDestinationTest extends ForwardingScenario {
    private static final int SOURCE = 0;
    private static final int HUNG = 1;
    private static final int HEALTHY = 2;
    private static final int BATCHES_MAX = 64;

    /** Creates a queue in a store. */
    private Entity create(int store, QueueDescription.Builder description) {
        while (true) {
            Entity queue = f.create(description.path("q" + names++).build());
            if (ShardEntities.shardOf(((ServedEntity) queue).id()) == store) {
                return queue;
            }
        }
    }

    /** Runs turns of all stores except the hung one until no task is left. */
    private void settleOthers() {
        boolean worked = true;
        while (worked) {
            worked = f.shard(SOURCE).turn() | f.shard(HEALTHY).turn();
        }
    }

    @Test
    @DisplayName("DLQ-32, PART-55: messages reach other stores although many wait for one that does not answer")
    void othersGoOn() throws StoreException {
        // given more sources for the hung store than there may be batches in flight
        open(3);
        Entity hung = create(HUNG, QueueDescription.named("q"));
        Entity healthy = create(HEALTHY, QueueDescription.named("q"));
        List<Entity> sources = new ArrayList<>();
        for (int i = 0; i <= BATCHES_MAX; i++) {
            sources.add(create(SOURCE, QueueDescription.named("q").forwardTo(hung.path())));
        }
        Entity other = create(SOURCE, QueueDescription.named("q").forwardTo(healthy.path()));
        f.settle();
        sources.forEach(source -> f.send(source, "waits"));
        settleOthers();
        assertThat(f.shard(HUNG).figures().mailboxCommands()).isEqualTo(BATCHES_MAX);
        // when a message is forwarded to another store
        for (int i = 0; i < 20; i++) {
            f.send(other, String.valueOf(i));
            settleOthers();
        }
        // then it arrives there
        Answer there = f.submit(healthy, new Command.PeekMessages(SubQueue.MAIN, 0, 250, null));
        settleOthers();
        assertThat(((Reply.Messages) there.reply()).messages()).hasSize(20);
        assertThat(f.shard(HUNG).figures().mailboxCommands()).isEqualTo(BATCHES_MAX);
        // and when the hung store works again, it gets all of its messages
        f.settle();
        assertThat(peek(hung)).hasSize(BATCHES_MAX + 1);
    }
}
