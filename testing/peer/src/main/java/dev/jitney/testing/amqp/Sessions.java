package dev.jitney.testing.amqp;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Attaches that ask for a message session, and messages of one (wire reference 7.1). */
public final class Sessions {
    public static final String FILTER = "com.microsoft:session-filter";

    /** What the Go library describes the filter with. */
    public static final long GO_DESCRIPTOR = 0x137000000CL;

    private Sessions() {}

    /** The filter as most clients write it. */
    public static RawSession.Attach bare(String queue, @Nullable String sessionId) {
        return attach(queue, sessionId);
    }

    /** The filter as the Go library writes it. */
    public static RawSession.Attach described(String queue, @Nullable String sessionId) {
        return attach(queue, new Wire.Described(Wire.ulong(GO_DESCRIPTOR), sessionId));
    }

    /** The next available session, for which the server is to wait that long. */
    public static RawSession.Attach next(String queue, long timeoutMs) {
        return bare(queue, null).properties(Wire.map(Wire.sym("com.microsoft:timeout"), Wire.uint(timeoutMs)));
    }

    /** Any value in the filter. */
    public static RawSession.Attach attach(String queue, @Nullable Object filter) {
        return new RawSession.Attach(true, "session-" + UUID.randomUUID(), queue)
                .filter(queue, Wire.map(Wire.sym(FILTER), filter))
                .settleModes(0, 1);
    }

    /** A link that holds the session. */
    public static RawLink accept(RawSession session, String queue, String sessionId) {
        RawLink link = session.attach(bare(queue, sessionId));
        link.expectAttached();
        return link;
    }

    /** The filter's value in the server's attach. */
    public static Node granted(RawLink link) {
        return link.attachReply().field(5).at(7).get(FILTER);
    }

    /** When the lock ends by the server's attach, in ticks of .NET. */
    public static Node lockedUntil(RawLink link) {
        return link.attachReply().field(13).get("com.microsoft:locked-until-utc");
    }

    /** A message of a session; null for one without. */
    public static byte[] message(@Nullable String sessionId, String text) {
        return Wire.encode(
                Wire.composite(Code.PROPERTIES, text, null, null, null, null, null, null, null, null, null, sessionId),
                Wire.section(Code.DATA, text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A request about a session, by its id. */
    public static Map<Object, @Nullable Object> request(String sessionId, @Nullable Object... more) {
        Map<Object, @Nullable Object> request = Wire.map(more);
        request.put("session-id", sessionId);
        return request;
    }
}
