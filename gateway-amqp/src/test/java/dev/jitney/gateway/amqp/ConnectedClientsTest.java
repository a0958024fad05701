package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.ReceiveMode;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.client.ClientLink;
import dev.jitney.runtime.client.ConnectedClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The connected clients, as operators see them")
class ConnectedClientsTest extends AmqpWireScenario {
    @Override
    AmqpGatewayOptions options() {
        return super.options().withEventLoops(2);
    }

    private List<ConnectedClient> clients(String path, long after, int max) throws Exception {
        return gateway.clients()
                .of(queue, EntityAddress.ofPath(path), after, max)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    /** Waits until the first client has that number of unsettled deliveries. */
    private ConnectedClient unsettled(int count) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        ConnectedClient client = clients("q", 0, 1).get(0);
        while (client.unsettled() != count) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            client = clients("q", 0, 1).get(0);
        }
        return client;
    }

    @Test
    @DisplayName("a client has its SDK, its links with credit, and the locks that it holds")
    void describes() throws Exception {
        fill(3);
        try (RawPeer peer = peer()) {
            peer.properties(Map.of(
                    Symbol.valueOf("product"),
                    "azure-sdk",
                    Symbol.valueOf("version"),
                    "7.\n1" + "x".repeat(1_000),
                    Symbol.valueOf("platform"),
                    5));
            peer.plain(RULE, InMemoryBroker.KEY);
            peer.begin(0);
            assertThat(clients("q", 0, 10)).as("without links").isEmpty();
            peer.send(0, RawPeer.receiver("receiving", 0, "q"));
            peer.next(ATTACH);
            peer.flow(0, 0, 0, 2, false, false);
            peer.next(TRANSFER);
            peer.next(TRANSFER);
            peer.send(0, RawPeer.sender("sending", 1, "q"));
            peer.next(FLOW);

            ConnectedClient client = unsettled(2);
            assertThat(client.containerId()).isEqualTo("test");
            assertThat(client.address()).startsWith("127.0.0.1:");
            assertThat(client.product()).isEqualTo("azure-sdk");
            assertThat(client.version()).startsWith("7. 1x").hasSize(256);
            assertThat(client.platform()).as("not a text").isEmpty();
            assertThat(client.sinceMs()).isPositive();
            assertThat(client.linkCount()).isEqualTo(2);
            Map<String, ClientLink> links =
                    client.links().stream().collect(java.util.stream.Collectors.toMap(ClientLink::name, link -> link));
            assertThat(links.get("receiving").mode()).isEqualTo(ReceiveMode.PEEK_LOCK);
            assertThat(links.get("receiving").unsettled()).isEqualTo(2);
            assertThat(links.get("receiving").credit()).isZero();
            assertThat(links.get("sending").mode()).isNull();
            assertThat(links.get("sending").credit()).isEqualTo(500);
            assertThat(clients("q/$DeadLetterQueue", 0, 10)).isEmpty();

            peer.send(0, RawPeer.outcome(0, 0, true, Accepted.getInstance()));
            assertThat(unsettled(1).links())
                    .filteredOn(link -> link.mode() != null)
                    .singleElement()
                    .satisfies(link -> assertThat(link.unsettled()).isEqualTo(1));
            assertThat(gateway.clients().connections(broker.first)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("pages continue after the number of a connection, over all event loops")
    void pages() throws Exception {
        RawPeer[] peers = new RawPeer[5];
        try {
            for (int i = 0; i < peers.length; i++) {
                peers[i] = authorized();
                peers[i].send(0, RawPeer.sender("s", 0, "q"));
                peers[i].next(FLOW);
            }
            List<ConnectedClient> first = clients("q", 0, 3);
            assertThat(first).hasSize(3).isSortedAccordingTo((a, b) -> Long.compare(a.number(), b.number()));
            List<ConnectedClient> rest = clients("q", first.get(2).number(), 3);
            assertThat(rest).hasSize(2);
            assertThat(rest.get(0).number()).isGreaterThan(first.get(2).number());
        } finally {
            for (RawPeer peer : peers) {
                if (peer != null) {
                    peer.close();
                }
            }
        }
    }
}
