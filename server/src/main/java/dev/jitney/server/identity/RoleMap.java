package dev.jitney.server.identity;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.security.OperatorRole;
import dev.jitney.runtime.security.Permission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rights of roles and groups. The roles of Azure for Service Bus are known: they have their rights on the whole
 * server, unless an entry names the same role. Immutable.
 */
public final class RoleMap {
    /** The limit of entries. */
    static final int ENTRIES_MAX = 1_000;

    private static final Map<String, List<Permission>> OF_AZURE = Map.of(
            "Azure Service Bus Data Owner", onServer(EnumSet.allOf(AccessRight.class)),
            "Azure Service Bus Data Sender", onServer(EnumSet.of(AccessRight.SEND)),
            "Azure Service Bus Data Receiver", onServer(EnumSet.of(AccessRight.LISTEN)));

    private final Map<String, List<Permission>> byRole;

    private RoleMap(Map<String, List<Permission>> byRole) {
        this.byRole = Map.copyOf(byRole);
    }

    /**
     * Reads entries such as {@code ops=Manage}, {@code shop-team=Send,Listen@shop} or {@code
     * audit=Listen@shop/orders/subscriptions/audit}: a role, its rights, and after {@code @} a namespace, a namespace
     * and an entity, or {@code *} and an entity for that entity in each namespace. Manage includes Send and Listen. Viewer, Reader and
     * Operator are roles in the operator API only, and Admin is the same as Manage.
     *
     * @throws IllegalArgumentException with a sentence for people if an entry is wrong
     */
    public static RoleMap of(List<String> entries) {
        if (entries.size() > ENTRIES_MAX) {
            throw new IllegalArgumentException(
                    "Expected at most " + ENTRIES_MAX + " roles, but got " + entries.size() + ".");
        }
        Map<String, List<Permission>> own = new HashMap<>();
        for (String entry : entries) {
            int equals = entry.lastIndexOf('=');
            String role = equals < 0 ? "" : entry.substring(0, equals).strip();
            if (role.isEmpty()) {
                throw wrong(entry);
            }
            own.computeIfAbsent(role, first -> new ArrayList<>()).add(permission(entry, entry.substring(equals + 1)));
        }
        Map<String, List<Permission>> all = new HashMap<>(OF_AZURE);
        own.forEach((role, permissions) -> all.put(role, List.copyOf(permissions)));
        return new RoleMap(all);
    }

    private static Permission permission(String entry, String text) {
        int at = text.indexOf('@');
        Set<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        OperatorRole role = null;
        for (String word : (at < 0 ? text : text.substring(0, at)).split(",", -1)) {
            OperatorRole named = role(word.strip());
            if (named == null) {
                rights.addAll(rights(entry, word.strip()));
            } else {
                role = role == null || named.includes(role) ? named : role;
            }
        }
        if (at < 0) {
            return new Permission(rights, role, null, "");
        }
        String scope = text.substring(at + 1).strip();
        int slash = scope.indexOf('/');
        String namespace = slash < 0 ? scope : scope.substring(0, slash);
        if (namespace.isEmpty() || slash < 0 && namespace.equals("*")) {
            throw wrong(entry);
        }
        return new Permission(
                rights,
                role,
                namespace.equals("*") ? null : namespace,
                slash < 0 ? "" : pathKey(entry, scope.substring(slash + 1)));
    }

    /** Returns the role that has no rights by itself, or null. */
    private static @Nullable OperatorRole role(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "viewer" -> OperatorRole.VIEWER;
            case "reader" -> OperatorRole.READER;
            case "operator" -> OperatorRole.OPERATOR;
            default -> null;
        };
    }

    private static Set<AccessRight> rights(String entry, String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "send" -> EnumSet.of(AccessRight.SEND);
            case "listen" -> EnumSet.of(AccessRight.LISTEN);
            case "manage", "admin" -> EnumSet.allOf(AccessRight.class);
            default -> throw wrong(entry);
        };
    }

    private static String pathKey(String entry, String path) {
        EntityAddress address = EntityAddress.ofPath(path);
        if (address.path().isEmpty() || address.subQueue() != SubQueue.MAIN || address.management()) {
            throw wrong(entry);
        }
        return address.key();
    }

    private static IllegalArgumentException wrong(String entry) {
        return new IllegalArgumentException(
                "Expected a role and its rights, such as ops=Manage, support=Viewer, shop-team=Send,Listen@shop"
                        + " or audit=Listen@shop/orders/subscriptions/audit, but got '" + entry + "'.");
    }

    private static List<Permission> onServer(Set<AccessRight> rights) {
        return List.of(new Permission(rights, null, ""));
    }

    /** Returns whether the role has rights. */
    boolean knows(@Nullable String role) {
        return role != null && byRole.containsKey(role);
    }

    /** Returns the rights of all roles together; unknown roles have none. */
    List<Permission> permissionsOf(Collection<String> roles) {
        return roles.stream()
                .flatMap(role -> byRole.getOrDefault(role, List.of()).stream())
                .distinct()
                .toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RoleMap map && map.byRole.equals(byRole);
    }

    @Override
    public int hashCode() {
        return byRole.hashCode();
    }
}
