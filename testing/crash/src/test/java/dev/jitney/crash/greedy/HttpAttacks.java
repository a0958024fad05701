package dev.jitney.crash.greedy;

import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Attacks on the HTTP listeners, through WebSockets, and in TLS handshakes. */
final class HttpAttacks {
    private static final int CONNECTIONS = 900;
    private static final int BODY_BYTES = 255_000;

    /** The limit of HTTP connections with a request. */
    private static final int PLACES = 1_000;

    /** The limit of receives over HTTP that wait. */
    private static final int WAITING_MAX = 750;

    private HttpAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "900 HTTP clients without a token send half a body of 500 KB",
                        (arena, crowd) -> crowd.add(
                                CONNECTIONS,
                                arena.httpPort(),
                                halfBody(arena, false, "POST /sink/messages", 2 * BODY_BYTES, BODY_BYTES))),
                new Attack(
                        "900 HTTP clients with a token send nearly all of a message of 255 KB",
                        (arena, crowd) -> crowd.add(
                                CONNECTIONS,
                                arena.httpPort(),
                                halfBody(arena, true, "POST /sink/messages", BODY_BYTES, BODY_BYTES - 1))),
                new Attack(
                        "300 HTTP clients with a token send nearly all of a description of 1 MB",
                        (arena, crowd) -> crowd.add(
                                300,
                                arena.httpPort(),
                                halfBody(arena, true, "PUT /new?api-version=2021-05", 1 << 20, (1 << 20) - 1))),
                new Attack(
                        "900 HTTP clients send 31 KB of a header that does not end",
                        (arena, crowd) -> crowd.add(
                                CONNECTIONS,
                                arena.httpPort(),
                                new Script(Script.Protocol.OTHER)
                                        .write("GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
                                        .write("x".repeat(31_000)))),
                new Attack(
                        "1,000 HTTP clients with the same key send no body",
                        (arena, crowd) ->
                                crowd.add(PLACES, arena.httpPort(), ruled(arena, "POST /ruled/messages", BODY_BYTES))),
                new Attack(
                                "750 HTTP clients with the same key wait for a message",
                                (arena, crowd) -> crowd.add(
                                        WAITING_MAX,
                                        arena.httpPort(),
                                        ruled(arena, "DELETE /ruled/messages/head?timeout=60", 0)))
                        .checked((arena, crowd) -> OtherReceive.receive(arena)),
                new Attack("200 HTTP clients ask for 30 messages of 250 KB each and do not read", (arena, crowd) -> {
                    arena.stack(1_600 * AttackedServer.SCALE);
                    crowd.add(
                            200 * AttackedServer.SCALE,
                            arena.httpPort(),
                            unread(arena, "POST /stacked/messages/head?timeout=1", 30));
                }),
                new Attack(
                        "100 HTTP clients ask 200 times each for the metrics and do not read",
                        (arena, crowd) -> crowd.add(100, arena.httpPort(), unread(arena, "GET /metrics", 200))),
                new Attack(
                        "900 WebSockets send a frame of 256 KB without its last byte",
                        (arena, crowd) -> crowd.add(
                                CONNECTIONS,
                                arena.httpPort(),
                                upgraded(arena)
                                        .write(unwrapped(
                                                WebSocketHeads.fragment(true, 256 * 1024 - 1_000),
                                                Bulk.zeros(256 * 1024 - 1_001))))),
                new Attack(
                        "900 TLS clients stop in the middle of the handshake, and as many send half a record",
                        (arena, crowd) -> {
                            ByteBuffer hello = clientHello();
                            crowd.add(
                                    900 * AttackedServer.SCALE,
                                    arena.amqpsPort(),
                                    new Script(Script.Protocol.OTHER).write(hello));
                            crowd.add(
                                    CONNECTIONS,
                                    arena.httpsPort(),
                                    new Script(Script.Protocol.OTHER)
                                            .write(ByteBuffer.wrap(new byte[] {0x16, 3, 1, 0x3f, -1, 1, 0, 0x7f, -1}))
                                            .write(Bulk.zeros(16_300)));
                        }));
    }

    private static Script halfBody(AttackedServer arena, boolean token, String line, int announced, int sent) {
        String authorization =
                token ? "Authorization: " + arena.administration().authorization() + "\r\n" : "";
        return new Script(Script.Protocol.OTHER)
                .write(line + " HTTP/1.1\r\nHost: localhost\r\n" + authorization
                        + "Content-Type: application/atom+xml\r\nContent-Length: " + announced + "\r\n\r\n")
                .write(Bulk.zeros(sent));
    }

    /** Returns the head of a request with the key of {@link AttackedServer#RULED}. */
    private static Script ruled(AttackedServer arena, String line, int announced) {
        return new Script(Script.Protocol.OTHER)
                .write(line + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + arena.ruledAuthorization()
                        + "\r\nContent-Length: " + announced + "\r\n\r\n");
    }

    private static Script unread(AttackedServer arena, String line, int times) {
        String request = line + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                + arena.administration().authorization() + "\r\nContent-Length: 0\r\n\r\n";
        return new Script(Script.Protocol.OTHER)
                .smallReceiveBuffer()
                .stopReading()
                .write(request.repeat(times));
    }

    /** Returns a WebSocket script that writes its own frames. */
    private static Script upgraded(AttackedServer arena) {
        return AmqpScript.silent(arena.webSocketEndpoint());
    }

    private static java.util.function.Function<Peer, List<ByteBuffer>> unwrapped(ByteBuffer... bytes) {
        return peer -> {
            peer.writeUnframed();
            return List.of(bytes);
        };
    }

    /** Returns the first flight of a client's handshake. */
    private static ByteBuffer clientHello() throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 5671);
        engine.setUseClientMode(true);
        engine.beginHandshake();
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        return hello.flip();
    }
}
