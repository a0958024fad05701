package dev.jitney.testing.amqp;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the raw client. The steps of the handshake are separate methods, so that a test can omit one or
 * change it; {@link #anonymous} and {@link #plain} do all of them.
 */
public final class RawPeer implements AutoCloseable {

    /** The maximum frame size that test connections announce by default. */
    public static final int MAX_FRAME_SIZE = 65_536;

    private final RawConnection connection;
    private int nextChannel;

    private RawPeer(RawConnection connection) {
        this.connection = connection;
    }

    /** Returns a connected socket that has sent nothing. */
    public static RawPeer silent(int port) {
        return new RawPeer(new RawConnection(port));
    }

    public static RawPeer silent(Socket connected) {
        return new RawPeer(new RawConnection(connected));
    }

    /** Returns an open connection without rights. */
    public static RawPeer anonymous(int port) {
        RawPeer peer = silent(port);
        peer.sasl("ANONYMOUS", new byte[0]);
        peer.open("localhost");
        return peer;
    }

    /** Returns an open connection with the rights of a shared access rule. */
    public static RawPeer plain(int port, String rule, String key) {
        return silent(port).authenticate(rule, key);
    }

    /** Authenticates with SASL PLAIN and a shared access rule, and opens the connection. */
    public RawPeer authenticate(String rule, String key) {
        sasl("PLAIN", plainResponse(rule, key));
        open("localhost");
        return this;
    }

    /** Returns the initial response of SASL PLAIN (RFC 4616). */
    public static byte[] plainResponse(String rule, String key) {
        return ("\0" + rule + "\0" + key).getBytes(StandardCharsets.UTF_8);
    }

    public RawConnection connection() {
        return connection;
    }

    /** Runs the SASL dialogue and expects it to succeed. */
    public void sasl(String mechanism, byte @Nullable [] response) {
        long outcome = trySasl(mechanism, response);
        if (outcome != 0) {
            throw new AssertionError("Expected SASL outcome 0 for " + mechanism + ", but got " + outcome + ".");
        }
    }

    /** Runs the SASL dialogue and returns the code of the outcome. */
    public long trySasl(String mechanism, byte @Nullable [] response) {
        connection.sendHeader(3);
        connection.awaitHeader();
        connection.await("sasl-mechanisms", f -> f.type() == 1 && f.is(Code.SASL_MECHANISMS));
        connection.sendFrame(
                1, 0, Wire.encode(Wire.composite(Code.SASL_INIT, Wire.sym(mechanism), response, "localhost")));
        return connection
                .await("sasl-outcome", f -> f.type() == 1 && f.is(Code.SASL_OUTCOME))
                .field(0)
                .number();
    }

    /** Opens the connection and returns the server's open. */
    public RawFrame open(@Nullable String hostname) {
        return open(hostname, MAX_FRAME_SIZE, null);
    }

    public RawFrame open(@Nullable String hostname, @Nullable Integer maxFrameSize, @Nullable Integer idleTimeoutMs) {
        connection.sendHeader(0);
        connection.awaitHeader();
        send(
                0,
                Wire.composite(
                        Code.OPEN,
                        "raw-" + UUID.randomUUID(),
                        hostname,
                        maxFrameSize == null ? null : Wire.uint(maxFrameSize),
                        new Wire.Unsigned(16, 65_535),
                        idleTimeoutMs == null ? null : Wire.uint(idleTimeoutMs)));
        return connection.await("open", f -> f.is(Code.OPEN));
    }

    /** Sends one performative, valid or not. */
    public void send(int channel, Object performative) {
        connection.sendFrame(0, channel, Wire.encode(performative));
    }

    /** Begins a session on the next free channel. */
    public RawSession begin() {
        return begin(nextChannel++);
    }

    /** Begins a session on a given channel. */
    public RawSession begin(int channel) {
        nextChannel = Math.max(nextChannel, channel + 1);
        return new RawSession(this, channel);
    }

    /** Puts a token and returns the response. */
    public RawMessage putToken(String audience, String token) {
        try (RawRequests cbs = RawRequests.open(begin(), "$cbs")) {
            return cbs.send(
                    Wire.map("operation", "put-token", "type", "servicebus.windows.net:sastoken", "name", audience),
                    token);
        }
    }

    /** Puts a token for the whole namespace and expects it to be accepted. */
    public RawPeer authorise(String rule, String key) {
        long inAnHour = System.currentTimeMillis() / 1000 + 3600;
        String resource = "sb://localhost/";
        RawMessage answer = putToken(resource, SasToken.create(resource, rule, key, inAnHour));
        long status = answer.applicationProperty("status-code").number();
        if (status != 202 && status != 200) {
            throw new AssertionError("Expected the token to be accepted, but got " + answer);
        }
        return this;
    }

    @Override
    public void close() {
        connection.close();
    }
}
