package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.gateway.http.operator.figure.FigureHistory;
import dev.jitney.runtime.Namespace;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityTableTest {
    private final TestBroker broker = new TestBroker();
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        broker.close();
    }

    @Test
    @DisplayName(
            "QUOTA-8: a turn of the event loop reads at most 500 entities for the table, which has all of them in order")
    void turns() throws Exception {
        int entities = EntityTable.SLICE + 1;
        for (int i = entities; i > 0; i--) {
            broker.create("q" + i);
        }
        Namespace namespace = broker.broker.namespace(null);
        EntityTable table =
                new EntityTable(new EntityTable.Key(namespace, "path"), FigureHistory.start(vertx, broker.broker));
        assertThat(table.proceed()).isTrue();
        assertThat(table.rows()).hasSize(EntityTable.SLICE);
        assertThat(table.proceed()).isFalse();
        assertThat(table.rows())
                .hasSize(entities)
                .extracting(EntityTable.Row::key)
                .isSorted();
    }
}
