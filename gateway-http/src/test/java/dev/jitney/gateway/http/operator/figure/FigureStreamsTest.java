package dev.jitney.gateway.http.operator.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.runtime.Namespace;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Streams of live figures")
class FigureStreamsTest {
    private final TestBroker broker = new TestBroker();
    private final Namespace namespace = broker.broker.namespace(null);
    private final FigureHistory history = new FigureHistory(broker.broker, 100);
    private final FigureStreams streams = new FigureStreams(history, of -> 7, Runnable::run);

    @AfterEach
    void close() {
        broker.close();
    }

    private final class Client implements FigureStreams.Stream {
        final List<String> events = new ArrayList<>();
        String ending;
        boolean behind;
        boolean closed;

        JsonObject last() {
            return new JsonObject(events.get(events.size() - 1).replaceFirst("(?s)^event: \\w+\\ndata: ", ""));
        }

        @Override
        public @Nullable String ending() {
            return ending;
        }

        @Override
        public boolean isBehind() {
            return behind;
        }

        @Override
        public void send(Buffer event) {
            events.add(event.toString());
        }

        @Override
        public void end(Buffer event) {
            events.add(event.toString());
            streams.remove(namespace, this);
        }

        @Override
        public void cut() {
            closed = true;
            streams.remove(namespace, this);
        }
    }

    private Client client() {
        Client client = new Client();
        streams.add(namespace, client);
        return client;
    }

    @Test
    @DisplayName("an event has the sums, and only the entities that have changed")
    void changes() throws Exception {
        broker.create("a");
        Client client = client();
        assertThat(client.last().getJsonObject("entities").getInteger("queues")).isEqualTo(1);
        assertThat(client.last().getInteger("connections")).isEqualTo(7);
        assertThat(client.last().getJsonArray("changed")).isEmpty();
        broker.create("b");
        streams.tick();
        assertThat(client.last().getJsonArray("changed")).hasSize(1);
        assertThat(client.last().getJsonArray("changed").getJsonObject(0).getString("path"))
                .isEqualTo("b");
        streams.tick();
        assertThat(client.events)
                .as("an event comes although nothing has changed")
                .hasSize(3);
        assertThat(client.last().getJsonArray("changed")).isEmpty();
        assertThat(client.events.get(2)).startsWith("event: figures\ndata: {").endsWith("}\n\n");
    }

    @Test
    @DisplayName("an event has a bounded number of entities and of bytes, and counts the others")
    void bound() throws Exception {
        Client client = client();
        for (int i = 0; i < FigureStreams.CHANGED_MAX + 10; i++) {
            broker.create("q".repeat(250) + i);
        }
        streams.tick();
        assertThat(client.last().getJsonArray("changed")).hasSize(FigureStreams.CHANGED_MAX);
        assertThat(client.last().getInteger("changedOthers")).isEqualTo(10);
        assertThat(client.events.get(1).length()).isLessThan(HttpStream.HELD_BYTES);
    }

    @Test
    @DisplayName("there are at most 16 streams of a namespace, and a place is free again when one ends")
    void places() throws Exception {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < FigureStreams.NAMESPACE_STREAMS_MAX; i++) {
            streams.requirePlace(namespace);
            clients.add(client());
        }
        assertThatThrownBy(() -> streams.requirePlace(namespace)).isInstanceOf(RefusedException.class);
        streams.requirePlace(broker.broker.namespace("second"));
        streams.remove(namespace, clients.get(0));
        streams.remove(namespace, clients.get(0));
        assertThat(streams.count()).isEqualTo(FigureStreams.NAMESPACE_STREAMS_MAX - 1);
        streams.requirePlace(namespace);
    }

    @Test
    @DisplayName("a client that has not read the event before is disconnected, and the others get the event")
    void behind() {
        Client slow = client();
        Client quick = client();
        slow.behind = true;
        streams.tick();
        assertThat(slow.closed).isTrue();
        assertThat(slow.events).hasSize(1);
        assertThat(quick.events).hasSize(2);
        assertThat(streams.count()).isEqualTo(1);
    }

    @Test
    @DisplayName("a stream that is no longer permitted ends with the reason")
    void ending() {
        Client client = client();
        client.ending = "The token has expired.";
        streams.tick();
        streams.tick();
        assertThat(client.events).hasSize(2);
        assertThat(client.events.get(1)).startsWith("event: end\n");
        assertThat(client.last().getString("reason")).isEqualTo("The token has expired.");
        assertThat(streams.count()).isZero();
    }
}
