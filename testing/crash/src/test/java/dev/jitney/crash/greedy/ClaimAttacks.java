package dev.jitney.crash.greedy;

import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.Messages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.transactions.Declare;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;

/**
 * Attacks by clients with the key of the namespace that claim memory with unfinished, uncommitted, unread, or expensive
 * requests.
 */
final class ClaimAttacks {
    private static final String MANAGEMENT = "/$management";
    private static final ByteBuffer LARGE = ByteBuffer.wrap(Messages.encode("large", new byte[Stock.LARGE_BYTES]));

    private ClaimAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "5 connections begin a message of 248 KB on each of 240 links and stop",
                        (arena, crowd) -> crowd.add(
                                5 * AttackedServer.SCALE, arena.endpoint().port(), unfinished(arena.endpoint()))),
                new Attack(
                        "1,200 authenticated connections begin a message of 248 KB each and stop",
                        (arena, crowd) -> crowd.add(
                                1_200 * AttackedServer.SCALE,
                                arena.endpoint().port(),
                                unfinishedOnce(arena.endpoint()))),
                new Attack(
                        "20 connections begin 4,000 sessions each",
                        (arena, crowd) -> crowd.add(
                                20 * AttackedServer.SCALE, arena.endpoint().port(), sessions(arena.endpoint(), 4_000))),
                new Attack(
                        "100 connections begin 120 sessions each and keep them",
                        (arena, crowd) -> crowd.add(
                                100 * AttackedServer.SCALE, arena.endpoint().port(), sessions(arena.endpoint(), 120))),
                new Attack(
                        "20 connections attach 200 receivers each with 20,000 empty lists in their properties",
                        (arena, crowd) -> crowd.add(
                                20 * AttackedServer.SCALE, arena.endpoint().port(), links(arena.endpoint()))),
                new Attack(
                        "20 connections attach 200 receivers each with source filters of 30 KB",
                        (arena, crowd) -> crowd.add(
                                20 * AttackedServer.SCALE, arena.endpoint().port(), filters(arena.endpoint()))),
                new Attack(
                                "30 connections send 40 messages of 250 KB each in a transaction and leave it open",
                                (arena, crowd) -> crowd.add(
                                        30 * AttackedServer.SCALE,
                                        arena.endpoint().port(),
                                        transaction(arena.endpoint())))
                        .checked(OtherTransaction::commit),
                new Attack(
                                "100 connections declare 500 transactions each",
                                (arena, crowd) -> crowd.add(
                                        100 * AttackedServer.SCALE,
                                        arena.endpoint().port(),
                                        declares(arena.endpoint())))
                        .checked(OtherTransaction::commit),
                new Attack(
                        "60 connections send 30 messages of 250 KB each and read no answer",
                        (arena, crowd) -> crowd.add(
                                60 * AttackedServer.SCALE,
                                arena.endpoint().port(),
                                sends(arena.endpoint(), LARGE, 30))),
                new Attack(
                        "40 connections send 40 messages each with 5,000 application properties to a topic",
                        (arena, crowd) -> crowd.add(
                                40 * AttackedServer.SCALE, arena.endpoint().port(), properties(arena.endpoint()))),
                new Attack(
                        "30 connections schedule 8 times 4 messages of 250 KB each and give no credit",
                        (arena, crowd) -> crowd.add(
                                30 * AttackedServer.SCALE, arena.endpoint().port(), schedules(arena.endpoint()))),
                new Attack(
                        "100 authenticated connections put 20 tokens of 200 KB each and give no credit",
                        (arena, crowd) -> crowd.add(
                                100 * AttackedServer.SCALE, arena.endpoint().port(), tokens(arena.endpoint()))),
                new Attack("10 connections add 60 rules each with 100 long properties", (arena, crowd) -> {
                    for (int i = 0; i < 10 * AttackedServer.SCALE; i++) {
                        crowd.add(1, arena.endpoint().port(), rules(arena.endpoint(), i));
                    }
                }));
    }

    private static Script unfinished(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        List<Integer> handles = new ArrayList<>();
        for (int link = 0; link < 240; link++) {
            handles.add(script.senderUnanswered(AttackedServer.SINK));
        }
        script.awaitCredit();
        ByteBuffer beginning = Bulk.unfinishedMessage(248 * 1024);
        for (int handle : handles) {
            script.begin(handle, beginning);
        }
        return script;
    }

    private static Script unfinishedOnce(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        int handle = script.sender(AttackedServer.SINK);
        return script.begin(handle, Bulk.unfinishedMessage(248 * 1024));
    }

    private static Script sessions(Endpoint endpoint, int count) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        for (int channel = 1; channel < count; channel++) {
            script.frame(channel, AmqpScript.beginWith(Map.of()));
        }
        return script;
    }

    private static Script links(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        Map<Symbol, Object> properties = Bulk.emptyLists(20_000);
        for (int link = 0; link < 200; link++) {
            script.receiver("n".repeat(200), "here", 0, new Source().setAddress(AttackedServer.SINK), properties);
        }
        return script;
    }

    private static Script filters(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        Map<Symbol, Object> filter = Bulk.entries(4_000);
        for (int link = 0; link < 200; link++) {
            script.receiver(
                    "n", "here", 0, new Source().setAddress(AttackedServer.SINK).setFilter(filter), Map.of());
        }
        return script;
    }

    private static Script transaction(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        int coordinator = script.coordinator();
        script.send(coordinator, Frames.encode(new AmqpValue<>(new Declare())));
        script.await(peer -> peer.transaction().length > 0);
        int handle = script.sender(AttackedServer.SINK);
        for (int i = 0; i < 40; i++) {
            script.send(handle, LARGE, peer -> new TransactionalState().setTxnId(new Binary(peer.transaction())));
        }
        return script;
    }

    private static Script declares(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        int coordinator = script.coordinator();
        for (int i = 0; i < 500; i++) {
            script.send(coordinator, Frames.encode(new AmqpValue<>(new Declare())));
        }
        return script;
    }

    private static Script sends(Endpoint endpoint, ByteBuffer message, int count) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        int handle = script.sender(AttackedServer.SINK);
        script.smallReceiveBuffer().stopReading();
        for (int i = 0; i < count; i++) {
            script.send(handle, message);
        }
        return script;
    }

    private static Script properties(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        byte[] message = Messages.encode("many", new byte[10], Bulk.texts(5_000));
        int handle = script.sender(AttackedServer.TOPIC);
        for (int i = 0; i < 40; i++) {
            script.send(handle, message);
        }
        return script;
    }

    private static Script schedules(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        String node = AttackedServer.SINK + MANAGEMENT;
        script.responses(node, "here", 0);
        int handle = script.sender(node);
        byte[] message = Messages.encodeScheduled("later", new byte[Stock.LARGE_BYTES], 4_000_000_000_000L);
        Map<String, Object> entry = Map.of("message-id", "later", "message", new Binary(message));
        byte[] request =
                Requests.request("here", "schedule-message", Map.of("messages", List.of(entry, entry, entry, entry)));
        for (int i = 0; i < 8; i++) {
            script.send(handle, request);
        }
        return script;
    }

    private static Script tokens(Endpoint endpoint) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        script.responses("$cbs", "here", 0);
        int handle = script.sender("$cbs");
        byte[] request = Frames.request(
                "id",
                "here",
                Map.of(
                        "operation", "put-token",
                        "type", "servicebus.windows.net:sastoken",
                        "name", "amqp://localhost/" + AttackedServer.SINK),
                "SharedAccessSignature sr=x&sig=y&se=1&skn=" + "z".repeat(200_000));
        for (int i = 0; i < 20; i++) {
            script.send(handle, request);
        }
        return script;
    }

    private static Script rules(Endpoint endpoint, int connection) {
        AmqpScript script = AmqpScript.authenticated(endpoint);
        String node = AttackedServer.SUBSCRIPTION + MANAGEMENT;
        script.responses(node, "here", 1_000);
        int handle = script.sender(node);
        for (int i = 0; i < 60; i++) {
            script.send(handle, Requests.addCorrelationRule("here", "rule-" + connection + "-" + i, 100, 300));
        }
        return script;
    }
}
