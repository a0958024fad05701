package dev.jitney.gateway.amqp.connection;

import java.util.LinkedHashMap;
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
 * @param sessionId the session, possibly of an empty name; null for the next available one
 * @param descriptor what the value was described with; null if it came bare
 */
record SessionFilter(@Nullable String sessionId, @Nullable Object descriptor) {
    private static final Symbol NAME = Symbol.valueOf("com.microsoft:session-filter");

    /** Whether the source asks for a session at all. */
    static boolean isIn(@Nullable Source source) {
        return source != null
                && source.getFilter() != null
                && source.getFilter().containsKey(NAME);
    }

    /** The filter of a source that has one; null if its value is not a text. */
    static @Nullable SessionFilter of(Source source) {
        Object value = source.getFilter().get(NAME);
        if (value instanceof DescribedType described) {
            return isId(described.getDescribed())
                    ? new SessionFilter((String) described.getDescribed(), described.getDescriptor())
                    : null;
        }
        return isId(value) ? new SessionFilter((String) value, null) : null;
    }

    private static boolean isId(@Nullable Object value) {
        return value == null || value instanceof String;
    }

    /** The source as the client sent it, but for the session, which is the granted one. */
    Source granted(Source asked, String grantedId) {
        Map<Symbol, Object> filter = new LinkedHashMap<>(asked.getFilter());
        filter.put(NAME, descriptor == null ? grantedId : new UnknownDescribedType(descriptor, grantedId));
        Source source = asked.copy();
        source.setFilter(filter);
        return source;
    }
}
