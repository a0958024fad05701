package dev.jitney.gateway.amqp.link;

import java.util.Map;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.jspecify.annotations.Nullable;

/**
 * The requested session, in the client's form. Some clients write the id without a descriptor, one client describes it,
 * and each of them understands only its own form (wire reference 7.1, 7.2). The presence of the filter decides, not its
 * value.
 *
 * @param key the client's key of the filter
 * @param sessionId session id, possibly empty; null for the next available session
 * @param descriptor descriptor of the value, or null if it has none
 */
record SessionFilter(
        Symbol key, @Nullable String sessionId, @Nullable Object descriptor) {
    /** The key of a filter without a descriptor, and the descriptor as a symbol. */
    static final String NAME = "com.microsoft:session-filter";

    /** Reads the value of a session filter. Returns null if it is not a string. */
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

    /** Returns the client's source with the session filter of the granted session as its only filter. */
    Source granted(Source asked, String grantedId) {
        Object value = descriptor == null ? grantedId : new UnknownDescribedType(descriptor, grantedId);
        Source source = asked.copy();
        source.setFilter(Map.of(key, value));
        return source;
    }
}
