package dev.jitney.gateway.amqp.link;

import dev.jitney.model.ClientText;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.Map;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a receiving link. A described filter is identified by its descriptor, because clients choose the keys
 * (AMQP 1.0 part 3, 3.5.8). A value without a descriptor is identified by its key, since most clients write the session
 * filter so (wire reference 7.1). An unsupported filter is refused: otherwise the client would receive messages that
 * its filter excludes.
 *
 * @param session requested session, or null
 * @param refusal reason why the filters are refused, or null
 */
record LinkFilters(
        @Nullable SessionFilter session, @Nullable Rejection refusal) {
    private static final LinkFilters NONE = new LinkFilters(null, null);

    private enum Kind {
        SESSION(0x0000_0013_7000_000CL, SessionFilter.NAME),
        NON_EXCLUSIVE_SESSION(0x0000_0013_7000_000EL, "com.microsoft:non-exclusive-session-filter:list"),
        SELECTOR(0x0000_468C_0000_0004L, "apache.org:selector-filter:string"),
        NO_LOCAL(0x0000_468C_0000_0003L, "apache.org:no-local-filter:list"),
        OTHER(-1, "");

        private final long code;
        private final Symbol name;

        Kind(long code, String name) {
            this.code = code;
            this.name = Symbol.valueOf(name);
        }

        static Kind of(Symbol key, @Nullable Object value) {
            Object told = value instanceof DescribedType described ? described.getDescriptor() : key;
            for (Kind kind : values()) {
                if (kind != OTHER
                        && (kind.name.equals(told)
                                || told instanceof UnsignedLong code && code.longValue() == kind.code)) {
                    return kind;
                }
            }
            // The keys of some clients for filters without a descriptor.
            return switch (told.toString()) {
                case "jms-selector" -> SELECTOR;
                case "no-local" -> NO_LOCAL;
                default -> OTHER;
            };
        }
    }

    /** Reads the filters of a source. The engine passes keys of any type; a string counts as a symbol. */
    static LinkFilters of(Source source) {
        Map<?, ?> filters = source.getFilter();
        LinkFilters read = NONE;
        if (filters != null) {
            for (Map.Entry<?, ?> filter : filters.entrySet()) {
                read = read.with(filter.getKey(), filter.getValue());
            }
        }
        return read;
    }

    private LinkFilters with(@Nullable Object key, @Nullable Object value) {
        if (refusal != null) {
            return this;
        }
        return key instanceof Symbol || key instanceof String
                ? withNamed(Symbol.valueOf(key.toString()), value)
                : refused(ErrorCode.INVALID_FIELD, "Expected a symbol as the key of a filter, but got another type.");
    }

    private LinkFilters withNamed(Symbol key, @Nullable Object value) {
        return switch (Kind.of(key, value)) {
            case SESSION -> withSession(SessionFilter.of(key, value));
            case NON_EXCLUSIVE_SESSION ->
                refused(
                        ErrorCode.NOT_IMPLEMENTED,
                        "Non-exclusive sessions are not supported. Receive without that filter.");
            case SELECTOR ->
                refused(
                        ErrorCode.NOT_IMPLEMENTED,
                        "Message selectors on a link are not supported (filter '" + shown(key)
                                + "'). Receive without a selector, or from a subscription with a rule that selects.");
            case NO_LOCAL -> this; // not in force; the client can see this in the answer
            case OTHER ->
                refused(
                        ErrorCode.NOT_IMPLEMENTED,
                        "Expected a session filter or no filter, but filter '" + shown(key)
                                + "' is not supported. Receive without it.");
        };
    }

    private LinkFilters withSession(@Nullable SessionFilter asked) {
        if (asked == null) {
            return refused(
                    ErrorCode.INVALID_FIELD, "Expected a string or null as the session filter, but got another type.");
        }
        return session == null
                ? new LinkFilters(asked, null)
                : refused(ErrorCode.INVALID_FIELD, "Expected one session filter, but got two.");
    }

    private LinkFilters refused(ErrorCode code, String description) {
        return new LinkFilters(session, new Rejection(code, description));
    }

    private static String shown(Symbol key) {
        return ClientText.abbreviate(key.toString());
    }
}
