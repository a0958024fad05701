package dev.jitney.gateway.http.operator.privacy;

import dev.jitney.core.BodyMask;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.OperatorRole;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The values of JSON bodies that the operator API shows only to clients with the right to Manage, and whether reads are audited. Immutable;
 * any thread may use it.
 */
public final class BodyPrivacy {
    /** All clients see all bodies, and reads are not audited. */
    public static final BodyPrivacy OFF = of(List.of(), false);

    /** The maximum number of hidden paths. Each one costs time for each member of a body. */
    public static final int PATHS_MAX = 32;

    /** The name of the namespace in entries for all namespaces. */
    private static final String ALL = "";

    private final Map<String, BodyMask> byNamespace;
    private final boolean auditReads;

    private BodyPrivacy(Map<String, BodyMask> byNamespace, boolean auditReads) {
        this.byNamespace = Map.copyOf(byNamespace);
        this.auditReads = auditReads;
    }

    /**
     * Returns settings.
     *
     * @param hidden entries such as {@code $.card.number}, or {@code shop=$.card.number} for the namespace {@code shop} only
     * @param auditReads whether each request that returns bodies has an entry in the audit trail
     * @throws IllegalArgumentException with a sentence for people if an entry is wrong
     */
    public static BodyPrivacy of(List<String> hidden, boolean auditReads) {
        if (hidden.size() > PATHS_MAX) {
            throw new IllegalArgumentException(
                    "Expected at most " + PATHS_MAX + " paths, but got " + hidden.size() + ".");
        }
        Map<String, List<String>> paths = new HashMap<>();
        paths.put(ALL, new ArrayList<>());
        for (String entry : hidden) {
            int end = entry.startsWith("$") ? -1 : entry.indexOf("=$");
            String namespace = end < 0 ? ALL : key(entry.substring(0, end));
            paths.computeIfAbsent(namespace, any -> new ArrayList<>()).add(checked(entry, entry.substring(end + 1)));
        }
        Map<String, BodyMask> masks = new HashMap<>();
        paths.forEach((namespace, own) -> {
            List<String> all = new ArrayList<>(own);
            if (!namespace.equals(ALL)) {
                all.addAll(paths.get(ALL));
            }
            masks.put(namespace, mask(all));
        });
        return new BodyPrivacy(masks, auditReads);
    }

    private static String checked(String entry, String path) {
        try {
            BodyMask.of(List.of(path));
            return path;
        } catch (ParseException mistake) {
            throw new IllegalArgumentException("Expected " + mistake.getMessage() + " at character "
                    + (entry.length() - path.length() + mistake.getErrorOffset() + 1) + " of '" + entry
                    + "', such as $.card.number or NAMESPACE=$.card.number.");
        }
    }

    private static BodyMask mask(List<String> paths) {
        try {
            return BodyMask.of(paths);
        } catch (ParseException impossible) {
            throw new IllegalArgumentException(impossible); // each path was checked
        }
    }

    private static String key(String namespace) {
        return namespace.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the access of a request.
     *
     * @param grant the grant by which it reads
     * @param address the queue or sub-queue that it reads
     */
    public BodyAccess of(Exchange exchange, Grant grant, EntityAddress address) {
        BodyMask mask = grant.permits(AccessRight.MANAGE, address, exchange.nowMs())
                ? BodyMask.NONE
                : byNamespace.getOrDefault(
                        key(exchange.namespace().name()), byNamespace.getOrDefault(ALL, BodyMask.NONE));
        boolean content = grant.permits(AccessRight.LISTEN, address, exchange.nowMs())
                || grant.permits(AccessRight.MANAGE, address, exchange.nowMs())
                || grant.hasRole(OperatorRole.READER, address, exchange.nowMs());
        AuditedAction action = auditReads && content
                ? new AuditedAction(
                        "read messages",
                        grant.holder(),
                        exchange.client(),
                        exchange.namespace(),
                        address.path() + address.subQueue().suffix(),
                        "")
                : null;
        return new BodyAccess(content, mask, action);
    }
}
