package dev.jitney.crash.greedy;

import dev.jitney.testing.client.Endpoint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Source;

/** Attacks over AMQP without any credentials (QUOTA-8, wire reference 2.5). */
final class UnauthenticatedAttacks {
    private static final int CONNECTIONS = 1_500 * AttackedServer.SCALE;
    /** Slightly fewer bytes than a connection may send before authentication. */
    private static final int UNFINISHED_BYTES = 255 * 1024 - 1_000;
    /** The number of empty lists that fit in a frame. */
    private static final int EMPTY_LISTS = 60_000;

    private static final String CBS = "$cbs";

    private UnauthenticatedAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "1,500 unauthenticated connections begin a request of 255 KB to $cbs and stop",
                        (arena, crowd) ->
                                crowd.add(CONNECTIONS, arena.endpoint().port(), unfinished(arena.endpoint()))),
                new Attack(
                        "900 WebSockets do the same",
                        (arena, crowd) -> crowd.add(900, arena.httpPort(), unfinished(arena.webSocketEndpoint()))),
                new Attack(
                        "1,500 connections send all but one byte of a frame of 64 KB",
                        (arena, crowd) -> crowd.add(
                                CONNECTIONS,
                                arena.endpoint().port(),
                                AmqpScript.anonymous(arena.endpoint())
                                        .write(Frames.raw(0, new byte[Frames.FRAME_BYTES_MAX - 9], 1)))),
                new Attack(
                        "1,500 connections stop in the middle of a SASL frame of 64 KB",
                        (arena, crowd) ->
                                crowd.add(CONNECTIONS, arena.endpoint().port(), halfSasl(arena.endpoint()))),
                new Attack(
                        "500 connections open with 60,000 empty lists in their properties, as do session and link",
                        (arena, crowd) -> crowd.add(
                                500 * AttackedServer.SCALE, arena.endpoint().port(), lists(arena.endpoint()))),
                new Attack(
                        "500 connections open with 5,000 entries in their properties",
                        (arena, crowd) -> crowd.add(
                                500 * AttackedServer.SCALE, arena.endpoint().port(), entries(arena.endpoint()))),
                new Attack(
                        "150 unauthenticated connections begin 4,000 sessions each",
                        (arena, crowd) -> crowd.add(
                                150 * AttackedServer.SCALE, arena.endpoint().port(), sessions(arena.endpoint()))),
                new Attack(
                        "150 unauthenticated connections attach 1,500 links to $cbs each",
                        (arena, crowd) -> crowd.add(
                                150 * AttackedServer.SCALE, arena.endpoint().port(), links(arena.endpoint()))),
                new Attack(
                        "500 unauthenticated connections put 300 bad tokens each and give no credit for the answers",
                        (arena, crowd) -> crowd.add(
                                500 * AttackedServer.SCALE, arena.endpoint().port(), badTokens(arena.endpoint()))),
                new Attack(
                        "200 connections claim counts and depths that no frame holds",
                        (arena, crowd) -> claims(arena, crowd)));
    }

    private static Script unfinished(Endpoint endpoint) {
        AmqpScript script = AmqpScript.anonymous(endpoint);
        int handle = script.sender(CBS);
        return script.begin(handle, Bulk.unfinishedMessage(UNFINISHED_BYTES));
    }

    private static Script halfSasl(Endpoint endpoint) {
        return AmqpScript.silent(endpoint)
                .write(Frames.saslHeader())
                .write(ByteBuffer.wrap(new byte[] {0, 1, 0, 0, 2, 1, 0, 0}), Bulk.zeros(60_000));
    }

    private static Script lists(Endpoint endpoint) {
        Map<Symbol, Object> properties = Bulk.emptyLists(EMPTY_LISTS);
        AmqpScript script = AmqpScript.silent(endpoint).login("ANONYMOUS", new byte[0]);
        script.frame(0, script.openWith(properties));
        script.frame(0, AmqpScript.beginWith(properties));
        script.receiver(CBS, "here", 0, new Source().setAddress(CBS), properties);
        return script;
    }

    private static Script entries(Endpoint endpoint) {
        Map<Symbol, Object> properties = Bulk.entries(5_000);
        AmqpScript script = AmqpScript.silent(endpoint).login("ANONYMOUS", new byte[0]);
        script.frame(0, script.openWith(properties));
        script.frame(0, AmqpScript.beginWith(properties));
        script.receiver(CBS, "here", 0, new Source().setAddress(CBS), properties);
        return script;
    }

    private static Script sessions(Endpoint endpoint) {
        AmqpScript script = AmqpScript.anonymous(endpoint);
        for (int channel = 1; channel < 4_000; channel++) {
            script.frame(channel, AmqpScript.beginWith(Map.of()));
        }
        return script;
    }

    private static Script links(Endpoint endpoint) {
        AmqpScript script = AmqpScript.anonymous(endpoint);
        for (int i = 0; i < 1_500; i++) {
            script.senderUnanswered(CBS);
        }
        return script;
    }

    private static Script badTokens(Endpoint endpoint) {
        AmqpScript script = AmqpScript.anonymous(endpoint);
        script.responses(CBS, "here", 0);
        int handle = script.sender(CBS);
        for (int i = 0; i < 300; i++) {
            script.send(
                    handle,
                    Frames.request(
                            "id" + i,
                            "here",
                            Map.of(
                                    "operation", "put-token",
                                    "type", "servicebus.windows.net:sastoken",
                                    "name", "amqp://localhost/" + "n".repeat(300) + i),
                            "SharedAccessSignature sr=x&sig=y&se=1&skn=z"));
        }
        return script;
    }

    private static void claims(AttackedServer arena, GreedyClients crowd) throws Exception {
        byte[] map = {0x00, 0x53, 0x10, (byte) 0xd0, 0x7f, -1, -1, -8, 0x7f, -1, -1, -1};
        byte[] array = {
            0x00, 0x53, 0x10, (byte) 0xd0, 0, 0, 0, 20, 0, 0, 0, 1, (byte) 0xf0, 0, 0, 0, 9, 0x7f, -1, -1, -1, 0x40
        };
        byte[] deep = new byte[60_000];
        for (int i = 0; i + 3 < deep.length; i += 3) {
            deep[i] = (byte) 0xc0;
            deep[i + 1] = (byte) 0xff;
            deep[i + 2] = 1;
        }
        byte[] head = "\0S\u0010".getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(head, 0, deep, 0, head.length);
        for (byte[] body : List.of(map, array, deep)) {
            crowd.add(
                    70,
                    arena.endpoint().port(),
                    AmqpScript.silent(arena.endpoint())
                            .login("ANONYMOUS", new byte[0])
                            .write(Frames.raw(0, body, 0)));
        }
    }
}
