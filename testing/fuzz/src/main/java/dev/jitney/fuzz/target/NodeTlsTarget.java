package dev.jitney.fuzz.target;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The first bytes of a connection to the node port of a node with TLS: damaged handshakes, and everything else. The connection ends,
 * nothing changes, and a node is served meanwhile.
 */
final class NodeTlsTarget extends ServerTarget<NodeFront> {
    private static final int RECORD_BYTES_MAX = 20_000;
    private static final byte HANDSHAKE = 0x16;

    private final byte[] hello;

    NodeTlsTarget() throws Exception {
        super(
                "node-tls",
                List.of(
                        new byte[] {HANDSHAKE, 3, 1, 0, 5, 1, 0, 0, 1, 3},
                        new byte[] {HANDSHAKE, 3, 3, 0x40, 0},
                        new byte[] {0x15, 3, 3, 0, 2, 1, 0},
                        new byte[] {0x14, 3, 3, 0, 1, 1},
                        new byte[] {0x17, 3, 3, 0, 1, 0}),
                NodeFront.secure());
        hello = hello();
    }

    /** Returns the first record of a client. */
    private static byte[] hello() throws GeneralSecurityException, SSLException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("127.0.0.1", 1);
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES_MAX);
        engine.wrap(ByteBuffer.allocate(0), record);
        return Arrays.copyOf(record.array(), record.position());
    }

    @Override
    public byte[] generate(Random random) {
        byte[] octets = hello.clone();
        for (int faults = random.nextInt(6); faults > 0; faults--) {
            octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
        }
        return Arrays.copyOf(octets, random.nextInt(4) == 0 ? random.nextInt(2 * octets.length) : octets.length);
    }

    @Override
    public void run(byte[] input) throws Exception {
        int before = front.changes();
        front.answer(input);
        if (front.changes() != before) {
            throw new AssertionError("Expected no change without a certificate, but there was one.");
        }
    }
}
