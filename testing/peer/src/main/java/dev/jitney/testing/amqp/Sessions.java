package dev.jitney.testing.amqp;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Attaches that request a message session, and messages with a session (wire reference 7.1). */
public final class Sessions {
    public static final String FILTER = "com.microsoft:session-filter";

    /** The descriptor of the filter in the Go library. */
    public static final long GO_DESCRIPTOR = 0x137000000CL;

    private Sessions() {}

    /** Returns an attach with the filter as most clients write it. */
    public static RawSession.Attach bare(String queue, @Nullable String sessionId) {
        return attach(queue, sessionId);
    }

    /** Returns an attach with the filter as the Go library writes it. */
    public static RawSession.Attach described(String queue, @Nullable String sessionId) {
        return attach(queue, new Wire.Described(Wire.ulong(GO_DESCRIPTOR), sessionId));
    }

    /** Returns an attach for the next available session, for which the server waits the given time. */
    public static RawSession.Attach next(String queue, long timeoutMs) {
        return bare(queue, null).properties(Wire.map(Wire.sym("com.microsoft:timeout"), Wire.uint(timeoutMs)));
    }

    /** Returns an attach with any value in the filter. */
    public static RawSession.Attach attach(String queue, @Nullable Object filter) {
        return new RawSession.Attach(true, "session-" + UUID.randomUUID(), queue)
                .filter(queue, Wire.map(Wire.sym(FILTER), filter))
                .settleModes(0, 1);
    }

    /** Attaches a link that holds the session. */
    public static RawLink accept(RawSession session, String queue, String sessionId) {
        RawLink link = session.attach(bare(queue, sessionId));
        link.expectAttached();
        return link;
    }

    /** Returns the filter's value in the server's attach. */
    public static Node granted(RawLink link) {
        return link.attachReply().field(5).at(7).get(FILTER);
    }

    /** Returns the end of the lock in the server's attach, in ticks of .NET. */
    public static Node lockedUntil(RawLink link) {
        return link.attachReply().field(13).get("com.microsoft:locked-until-utc");
    }

    /** Returns a message of a session, or a message without a session for null. */
    public static byte[] message(@Nullable String sessionId, String text) {
        return Wire.encode(
                Wire.composite(Code.PROPERTIES, text, null, null, null, null, null, null, null, null, null, sessionId),
                Wire.section(Code.DATA, text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the body of a request about a session, by its id. */
    public static Map<Object, @Nullable Object> request(String sessionId, @Nullable Object... more) {
        Map<Object, @Nullable Object> request = Wire.map(more);
        request.put("session-id", sessionId);
        return request;
    }
}
