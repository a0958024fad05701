package dev.jitney.server.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** A TLS handshake of two engines in memory. */
final class Handshake {
    private static final int ROUNDS_MAX = 100;

    private Handshake() {}

    static void run(SSLEngine client, SSLEngine server) throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
        ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
        for (int round = 0; round < ROUNDS_MAX; round++) {
            step(client, toClient, toServer);
            step(server, toServer, toClient);
            if (done(client) && done(server) && toClient.position() == 0 && toServer.position() == 0) {
                return;
            }
        }
        throw new SSLException("The handshake did not end.");
    }

    private static boolean done(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        ByteBuffer nothing = ByteBuffer.allocate(1 << 16);
        HandshakeStatus status = engine.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_TASK) {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
        } else if (status == HandshakeStatus.NEED_WRAP) {
            engine.wrap(ByteBuffer.allocate(0), out);
        } else if (in.position() > 0) {
            in.flip();
            engine.unwrap(in, nothing);
            in.compact();
        }
    }
}
