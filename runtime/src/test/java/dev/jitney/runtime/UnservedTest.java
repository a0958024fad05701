package dev.jitney.runtime;

import static dev.jitney.runtime.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.BrokerFixture.Answer;
import dev.jitney.runtime.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Entities that are administered and whose messages this version does not serve")
class UnservedTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
    }

    private <T> T ask(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private void assertRefuses(Entity entity, String feature) {
        Listening listening = f.listen(entity, 1);
        for (Answer answer : new Answer[] {f.send(entity, "m"), listening.attached}) {
            Rejection rejection = answer.rejection();
            assertThat(rejection.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED);
            assertThat(rejection.description()).contains(entity.path(), feature);
        }
        assertThat(f.counts(entity).active()).isZero();
        assertThat(entity.unservedSends()).isNotNull();
        assertThat(entity.unservedReceives(SubQueue.MAIN)).isNotNull();
    }

    @Test
    @DisplayName("a queue with partitioning refuses by name, also one that detects duplicates")
    void queues() throws StoreException {
        f.create("d");
        for (int i = 0; i < 2; i++) {
            if (i == 0) {
                f.create(QueueDescription.named("b")
                        .requiresDuplicateDetection(true)
                        .enablePartitioning(true)
                        .build());
                f.create(QueueDescription.named("c").enablePartitioning(true).build());
            } else {
                f.crash();
            }
            assertRefuses(f.entity("b"), "EnablePartitioning");
            assertRefuses(f.entity("c"), "EnablePartitioning");
            assertThat(f.entity("d").unservedSends()).isNull();
            assertThat(f.entity("d").unservedReceives(SubQueue.MAIN)).isNull();
        }
    }

    @Test
    @DisplayName("a topic with partitioning refuses messages by name, also one that detects duplicates")
    void topics() {
        ask(f.namespace()
                .createTopic(TopicDescription.named("a")
                        .requiresDuplicateDetection(true)
                        .enablePartitioning(true)
                        .build()));
        ask(f.namespace()
                .createTopic(
                        TopicDescription.named("b").enablePartitioning(true).build()));
        assertRefusesSends(f.entity("a"), "EnablePartitioning");
        assertRefusesSends(f.entity("b"), "EnablePartitioning");
    }

    private void assertRefusesSends(Entity entity, String feature) {
        Rejection rejection = f.send(entity, "m").rejection();
        assertThat(rejection.code()).isEqualTo(ErrorCode.NOT_IMPLEMENTED);
        assertThat(rejection.description()).contains(feature);
        assertThat(entity.unservedSends()).isEqualTo(rejection);
    }

    @Test
    @DisplayName("a deleted entity that somebody still holds is not found, whatever it needed")
    void deleted() {
        Entity partitioned =
                f.create(QueueDescription.named("a").enablePartitioning(true).build());
        Entity topic = ask(f.namespace().createTopic(TopicDescription.named("t").build()));
        ask(f.namespace().deleteEntity("a"));
        ask(f.namespace().deleteEntity("t"));
        for (Entity gone : new Entity[] {partitioned, topic}) {
            Answer sent = f.send(gone, "m");
            Answer counted = f.submit(gone, new Command.GetCounts());
            f.settle();
            assertThat(sent.rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
            assertThat(counted.rejection().code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        }
    }
}
