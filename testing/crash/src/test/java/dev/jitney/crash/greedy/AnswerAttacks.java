package dev.jitney.crash.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.client.Endpoint;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Source;

/** Attacks with replies and deliveries that clients with the key of the namespace do not read. */
final class AnswerAttacks {
    private static final int DEFERRED = 1_600 * AttackedServer.SCALE;
    private static final int DEFERRED_FEW = 80;
    /** The time for the server to create replies before it can send them, in milliseconds. */
    private static final int WORK_MS = 3_000;

    private static final String MANAGEMENT = "/$management";

    private AnswerAttacks() {}

    static List<Attack> all() {
        return attacks().stream().map(attack -> attack.working(WORK_MS)).toList();
    }

    private static List<Attack> attacks() {
        return List.of(
                new Attack(
                        "One connection asks for 60 peeks of 250 KB over each of 30 links without credit",
                        (arena, crowd) -> crowd.add(
                                AttackedServer.SCALE,
                                arena.endpoint().port(),
                                peeks(arena.endpoint(), AttackedServer.LARGE, 1, 30, 60, 0))),
                new Attack(
                        "150 connections give credit for 12 peeks of 250 KB each and do not read",
                        (arena, crowd) -> crowd.add(
                                150 * AttackedServer.SCALE, arena.endpoint().port(), unreadPeeks(arena.endpoint()))),
                new Attack(
                        "150 WebSockets give credit for 12 peeks of 250 KB each and do not read",
                        (arena, crowd) -> crowd.add(
                                150 * AttackedServer.SCALE, arena.httpPort(), unreadPeeks(arena.webSocketEndpoint()))),
                new Attack(
                        "20 connections ask for 40 peeks of 250 small messages over each of 4 links without credit",
                        (arena, crowd) -> crowd.add(
                                20 * AttackedServer.SCALE,
                                arena.endpoint().port(),
                                peeks(arena.endpoint(), AttackedServer.SMALL, 250, 4, 40, 0))),
                new Attack(
                        "150 connections receive over 10 links with a credit of 10,000 each and do not read",
                        (arena, crowd) -> {
                            arena.stack(DEFERRED);
                            crowd.add(
                                    150 * AttackedServer.SCALE,
                                    arena.endpoint().port(),
                                    unreadDeliveries(arena.endpoint()));
                        }),
                new Attack(
                        "3 connections take 5,000 small messages each and settle none",
                        (arena, crowd) -> crowd.add(
                                3 * AttackedServer.SCALE, arena.endpoint().port(), unsettled(arena.endpoint()))),
                new Attack(
                        "20 connections wait over 200 links each for any session",
                        (arena, crowd) -> crowd.add(
                                20 * AttackedServer.SCALE,
                                arena.endpoint().port(),
                                waitingForSessions(arena.endpoint()))),
                new Attack("One request receives 1,600 deferred messages of 250 KB", (arena, crowd) -> {
                    arena.stack(DEFERRED);
                    arena.deferred(Stock.defer(arena.endpoint(), AttackedServer.STACKED, DEFERRED));
                    crowd.add(
                            1,
                            arena.endpoint().port(),
                            receive(arena.endpoint(), AttackedServer.STACKED, arena.deferred(), true, 10));
                }),
                new Attack("80 deferred messages of 250 KB are received and deleted by one request", (arena, crowd) -> {
                            Stock.send(arena.endpoint(), AttackedServer.DEFERRED, DEFERRED_FEW, Stock.LARGE_BYTES);
                            arena.deferred(Stock.defer(arena.endpoint(), AttackedServer.DEFERRED, DEFERRED_FEW));
                            crowd.add(
                                    1,
                                    arena.endpoint().port(),
                                    receive(arena.endpoint(), AttackedServer.DEFERRED, arena.deferred(), false, 10));
                        })
                        .checked(AnswerAttacks::nothingLost),
                new Attack("The same without credit for the answer", (arena, crowd) -> {
                            Stock.send(arena.endpoint(), AttackedServer.UNASKED, DEFERRED_FEW, Stock.LARGE_BYTES);
                            arena.deferred(Stock.defer(arena.endpoint(), AttackedServer.UNASKED, DEFERRED_FEW));
                            crowd.add(
                                    1,
                                    arena.endpoint().port(),
                                    receive(arena.endpoint(), AttackedServer.UNASKED, arena.deferred(), false, 0));
                        })
                        .checked(AnswerAttacks::nothingThrownAway));
    }

    private static Script peeks(Endpoint endpoint, String queue, int count, int links, int peeks, int credit) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        int handle = script.sender(queue + MANAGEMENT);
        for (int link = 0; link < links; link++) {
            script.responses(queue + MANAGEMENT, "here" + link, credit);
        }
        for (int peek = 0; peek < peeks; peek++) {
            for (int link = 0; link < links; link++) {
                script.send(handle, Requests.peek("here" + link, count));
            }
        }
        return script;
    }

    private static Script unreadPeeks(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        script.smallReceiveBuffer();
        String node = AttackedServer.LARGE + MANAGEMENT;
        script.responses(node, "here", 1_000);
        int handle = script.sender(node);
        script.stopReading();
        for (int peek = 0; peek < 12; peek++) {
            script.send(handle, Requests.peek("here", 1));
        }
        return script;
    }

    private static Script unreadDeliveries(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        script.smallReceiveBuffer();
        for (int link = 0; link < 10; link++) {
            script.receiver(AttackedServer.STACKED, 10_000);
        }
        return script.await(peer -> peer.seen(Code.ATTACH) > 0).stopReading();
    }

    private static Script unsettled(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        script.receiver(AttackedServer.SMALL, 5_000);
        return script.await(peer -> peer.seen(Code.TRANSFER) >= 5_000);
    }

    private static Script waitingForSessions(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        for (int link = 0; link < 200; link++) {
            java.util.Map<Symbol, Object> filter = new java.util.HashMap<>();
            filter.put(Symbol.valueOf("com.microsoft:session-filter"), null);
            script.receiver(
                    "n".repeat(200),
                    "here" + link,
                    0,
                    new Source().setAddress(AttackedServer.SESSIONS).setFilter(filter),
                    Map.of());
        }
        return script;
    }

    private static Script receive(Endpoint endpoint, String queue, List<Long> numbers, boolean peekLock, int credit) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        script.responses(queue + MANAGEMENT, "here", credit);
        int handle = script.sender(queue + MANAGEMENT);
        script.send(handle, Requests.receive("here", numbers, peekLock));
        return script.await(peer -> peer.seen(Code.TRANSFER) > 0);
    }

    /** Checks that the messages are still stored or have all arrived. */
    private static void nothingLost(AttackedServer arena, GreedyClients crowd) throws Exception {
        long came = crowd.peers().get(0).readBytes();
        long left = arena.count(AttackedServer.DEFERRED);
        assertThat(left)
                .as("messages in the queue after %d bytes of a reply arrived", came)
                .isEqualTo(came > (long) DEFERRED_FEW * Stock.LARGE_BYTES ? 0 : DEFERRED_FEW);
    }

    /**
     * Checks that messages remain stored if the server reports an error to a client that has not given credit for the
     * reply.
     */
    private static void nothingThrownAway(AttackedServer arena, GreedyClients crowd) throws Exception {
        Peer client = crowd.peers().get(0);
        if (client.end() != null || client.seen(Code.DETACH) > 0) {
            assertThat(arena.count(AttackedServer.UNASKED))
                    .as("messages in the queue after this error of the server: %s", client.complaint())
                    .isEqualTo(DEFERRED_FEW);
        }
    }
}
