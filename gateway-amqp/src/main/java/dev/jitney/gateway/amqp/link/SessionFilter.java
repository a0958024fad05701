package dev.jitney.gateway.amqp.link;

import java.util.Map;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.jspecify.annotations.Nullable;

/**
 * The session a client asks for, in the shape it asked: some clients write the id bare, one describes it, and each of
 * them understands its own shape only (wire reference 7.1, 7.2). That the filter is there decides, not its value.
 *
 * @param key what the client calls the filter
 * @param sessionId the session, possibly of an empty name; null for the next available one
 * @param descriptor what the value was described with; null if it came bare
 */
record SessionFilter(
        Symbol key, @Nullable String sessionId, @Nullable Object descriptor) {
    /** Its key where it comes bare, and its descriptor where that is a name. */
    static final String NAME = "com.microsoft:session-filter";

    /** Reads the value of a session filter; null if it is not a text. */
    static @Nullable SessionFilter of(Symbol key, @Nullable Object value) {
        if (value instanceof DescribedType described) {
            return isId(described.getDescribed())
                    ? new SessionFilter(key, (String) described.getDescribed(), described.getDescriptor())
                    : null;
        }
        return isId(value) ? new SessionFilter(key, (String) value, null) : null;
    }

    private static boolean isId(@Nullable Object value) {
        return value == null || value instanceof String;
    }

    /** The source as the client sent it, but for its filters: the only one in force is that of the granted session. */
    Source granted(Source asked, String grantedId) {
        Object value = descriptor == null ? grantedId : new UnknownDescribedType(descriptor, grantedId);
        Source source = asked.copy();
        source.setFilter(Map.of(key, value));
        return source;
    }
}
