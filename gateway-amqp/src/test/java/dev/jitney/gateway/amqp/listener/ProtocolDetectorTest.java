package dev.jitney.gateway.amqp.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.connection.AmqpConnectionHandler;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.memory.MemoryPurpose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProtocolDetectorTest {
    private static final long TIMEOUT_MS = 10_000;
    private static final long BUDGET_BYTES = 1 << 20;
    private static final SharedPort PLAIN = new SharedPort(5672, true, true, false, false);

    private final ClientMemory memory = new ClientMemory(BUDGET_BYTES);
    private final GatewayContext gateway = new GatewayContext(
            new InMemoryBroker(), ConnectionLimits.defaults(), IdleRules.OFF, "c", 100, memory, ClientAdmission.open());
    private final List<HandedSocket> handed = new ArrayList<>();
    private final UndecidedSockets undecided = new UndecidedSockets(3);

    @Test
    @DisplayName("A client that sends nothing is closed after ten seconds, and holds memory until then")
    void silent() {
        EmbeddedChannel client = client();
        assertThat(claimed()).isEqualTo(AmqpConnectionHandler.SOCKET_BYTES);
        assertThat(undecided.count()).isEqualTo(1);
        client.advanceTimeBy(TIMEOUT_MS - 1, TimeUnit.MILLISECONDS);
        client.runScheduledPendingTasks();
        assertThat(client.isOpen()).isTrue();
        client.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        client.runScheduledPendingTasks();
        assertThat(client.isOpen()).isFalse();
        nothingIsLeft();
    }

    @Test
    @DisplayName("Bytes that do not decide the protocol do not extend the time")
    void slow() {
        EmbeddedChannel client = client();
        for (char c : "DELET".toCharArray()) {
            client.advanceTimeBy(TIMEOUT_MS / 6, TimeUnit.MILLISECONDS);
            client.runScheduledPendingTasks();
            client.writeInbound(bytes(String.valueOf(c)));
        }
        assertThat(client.isOpen()).isTrue();
        client.advanceTimeBy(TIMEOUT_MS / 5, TimeUnit.MILLISECONDS);
        client.runScheduledPendingTasks();
        assertThat(client.isOpen()).isFalse();
        nothingIsLeft();
    }

    @Test
    @DisplayName("One undecided connection above the limit closes the oldest, and only that one")
    void tooMany() {
        List<EmbeddedChannel> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(client());
        }
        assertThat(clients).allMatch(EmbeddedChannel::isOpen);
        clients.add(client());
        clients.forEach(EmbeddedChannel::runPendingTasks);
        assertThat(clients.get(0).isOpen()).isFalse();
        assertThat(clients.subList(1, 4)).allMatch(EmbeddedChannel::isOpen);
        clients.get(1).writeInbound(bytes("AMQP"));
        clients.add(client());
        clients.forEach(EmbeddedChannel::runPendingTasks);
        assertThat(clients.subList(1, 5)).as("one is decided").allMatch(EmbeddedChannel::isOpen);
        clients.forEach(EmbeddedChannel::close);
        nothingIsLeft();
    }

    @Test
    @DisplayName("Undecided connections share the memory of unauthenticated clients: the oldest makes room")
    void memoryUsedUp() {
        UndecidedSockets many = new UndecidedSockets(10_000);
        List<EmbeddedChannel> clients = new ArrayList<>();
        long fit = BUDGET_BYTES / 4 / AmqpConnectionHandler.SOCKET_BYTES;
        for (int i = 0; i < fit + 1; i++) {
            clients.add(client(PLAIN, many));
        }
        clients.forEach(EmbeddedChannel::runPendingTasks);
        assertThat(clients.get(0).isOpen()).isFalse();
        assertThat(clients.get(clients.size() - 1).isOpen()).isTrue();
        clients.forEach(EmbeddedChannel::close);
        nothingIsLeft();
    }

    @Test
    @DisplayName("HTTP passes through the door with all bytes, even those that arrived during the move")
    void http() {
        EmbeddedChannel client = client();
        client.writeInbound(bytes("GE"), bytes("T /he"), bytes("alth"));
        client.runPendingTasks();
        assertThat(handed).hasSize(1);
        ByteBuf first = handed.get(0).firstBytes();
        assertThat(first.toString(StandardCharsets.US_ASCII)).isEqualTo("GET /health");
        assertThat(handed.get(0).channel().isRegistered()).isFalse();
        assertThat(handed.get(0).channel().config().isAutoRead()).isFalse();
        first.release();
        nothingIsLeft();
    }

    @Test
    @DisplayName("AMQP connections stay with the gateway and are counted from then on")
    void amqp() {
        EmbeddedChannel client = client();
        client.writeInbound(bytes("AM"), bytes("QP"));
        assertThat(client.pipeline().get(ProtocolDetector.class)).isNull();
        assertThat(client.pipeline().get(AmqpConnectionHandler.class)).isNotNull();
        assertThat(gateway.sockets()).hasSize(1);
        assertThat(undecided.count()).isZero();
        client.close();
        nothingIsLeft();
    }

    @Test
    @DisplayName("Inside TLS a second TLS handshake is refused, and a port serves only its own protocols")
    void refused() {
        EmbeddedChannel client = client(new SharedPort(1, true, false, false, false), undecided);
        client.writeInbound(bytes("GET "));
        ByteBuf answer = client.readOutbound();
        assertThat(answer.toString(StandardCharsets.US_ASCII)).startsWith("AMQP");
        answer.release();
        assertThat(client.isOpen()).isFalse();
        nothingIsLeft();
    }

    private EmbeddedChannel client() {
        return client(PLAIN, undecided);
    }

    private EmbeddedChannel client(SharedPort port, UndecidedSockets others) {
        EmbeddedChannel client = new EmbeddedChannel();
        client.freezeTime();
        client.pipeline()
                .addLast(new ProtocolDetector(
                        new ProtocolDetector.Listener(gateway, null, handed::add, others, TIMEOUT_MS), port, () -> {}));
        return client;
    }

    private void nothingIsLeft() {
        assertThat(undecided.count()).isZero();
        assertThat(gateway.sockets()).isEmpty();
        assertThat(claimed()).isZero();
    }

    private long claimed() {
        return memory.figures().unauthenticated().getOrDefault(MemoryPurpose.STATE, 0L);
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }
}
