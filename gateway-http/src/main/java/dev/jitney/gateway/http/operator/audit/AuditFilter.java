package dev.jitney.gateway.http.operator.audit;

import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.AuditTrail.Entry;
import dev.jitney.runtime.AuditTrail.Result;
import java.util.Locale;
import java.util.Set;

/**
 * The choice of entries. Texts are compared without case.
 *
 * @param entity the key of a path, which includes those below it; empty for all
 * @param action a part of the name of the action; empty for all
 * @param key the name of a key; empty for all
 * @param results the names of results
 * @param sinceMs the earliest time, milliseconds since the epoch
 * @param untilMs the first time after those of the entries
 */
record AuditFilter(String entity, String action, String key, Set<String> results, long sinceMs, long untilMs) {
    static AuditFilter of(OperatorRequest request) {
        return new AuditFilter(
                EntityAddress.keyOf(text(request, "entity")),
                text(request, "action").toLowerCase(Locale.ROOT),
                text(request, "key"),
                request.list("result"),
                request.timeMs("since", Long.MIN_VALUE),
                request.timeMs("until", Long.MAX_VALUE));
    }

    private static String text(OperatorRequest request, String name) {
        String text = request.text(name);
        return text == null ? "" : text;
    }

    /** Returns the name of a result in documents and parameters. */
    static String nameOf(Result result) {
        return switch (result) {
            case DONE -> "done";
            case REFUSED -> "refused";
            case LEFT_OUT -> "leftOut";
        };
    }

    boolean matches(Entry entry) {
        return entry.timeMs() >= sinceMs
                && entry.timeMs() < untilMs
                && results.contains(nameOf(entry.result()))
                && (key.isEmpty() || entry.action().key().equalsIgnoreCase(key))
                && (action.isEmpty()
                        || entry.action().name().toLowerCase(Locale.ROOT).contains(action))
                && (entity.isEmpty()
                        || isWithin(EntityAddress.keyOf(entry.action().entity())));
    }

    private boolean isWithin(String path) {
        return path.startsWith(entity) && (path.length() == entity.length() || path.charAt(entity.length()) == '/');
    }
}
