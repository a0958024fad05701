package dev.jitney.runtime.client;

import dev.jitney.runtime.Namespace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The AMQP connections and the wrong keys of access rules. Any thread may call it; a call takes a short lock.
 *
 * <p>The last fifth of the connections of a namespace is for rules that have less than an equal share of all its connections, so that
 * the clients of one rule do not keep out those of the others (QUOTA-8). Rules without connections have no share.
 *
 * <p>Clients cannot make the table grow: it has rules with an accepted credential, and rules of namespaces. Wrong keys for other names
 * are counted together, under the empty name.
 */
public final class CredentialCounts {
    /** The limit of rules. Further ones are counted under the empty name. */
    static final int RULES_MAX = 1_000;

    /** The divisor of a namespace's connections for the part that is only for rules with less than an equal share. */
    private static final int RESERVED_PART = 5;

    private final int connectionsMax;
    private final Map<Rule, Numbers> rules = new LinkedHashMap<>();

    private record Rule(String namespace, String name) {}

    private static final class Numbers {
        int connections;
        long failed;
    }

    /**
     * The numbers of a rule.
     *
     * @param rule name of the rule in lower case; empty for all names together that are not rules
     * @param connections open AMQP connections that were accepted with it first
     * @param failed keys and signatures for it that were wrong
     */
    public record Count(String namespace, String rule, int connections, long failed) {}

    /** @param connectionsMax limit of the connections of one rule, 0 for none */
    public CredentialCounts(int connectionsMax) {
        this.connectionsMax = connectionsMax;
    }

    /**
     * Counts a connection for the rule that has accepted its first credential, unless that exceeds a limit.
     *
     * @return null if it is counted; then call {@link #disconnected} once. Otherwise the reason for the client
     */
    public synchronized @Nullable String connected(Namespace namespace, String rule) {
        Numbers numbers = of(namespace, rule);
        if (connectionsMax > 0 && numbers.connections >= connectionsMax && !rule.isEmpty()) {
            return "Expected at most the connections that --credential-connections permits for the rule '" + rule
                    + "', but this is one more.";
        }
        int max = namespace.limits().maxConnections();
        boolean ofOneRule = numbers != rules.get(key(namespace, ""));
        if (ofOneRule && exceedsShare(namespace.name(), numbers, max)) {
            return "Expected at most an equal share of the " + max + " connections to the namespace for the rule '"
                    + rule + "' while few are left for others, but this is one more.";
        }
        numbers.connections++;
        return null;
    }

    private boolean exceedsShare(String namespace, Numbers own, int max) {
        int connections = 0;
        int holders = own.connections == 0 ? 1 : 0;
        for (Map.Entry<Rule, Numbers> one : rules.entrySet()) {
            int held = one.getKey().namespace().equals(namespace) ? one.getValue().connections : 0;
            connections += held;
            holders += held > 0 ? 1 : 0;
        }
        return connections >= max - max / RESERVED_PART && (long) own.connections * holders >= max;
    }

    /** Ends the count of a connection. */
    public synchronized void disconnected(Namespace namespace, String rule) {
        Numbers numbers = of(namespace, rule);
        numbers.connections = Math.max(0, numbers.connections - 1);
    }

    /** Counts a wrong key or signature for a name, as the client wrote it; null if it wrote none. */
    public synchronized void failed(Namespace namespace, @Nullable String name) {
        boolean isRule = name != null
                && (rules.containsKey(key(namespace, name))
                        || namespace.accessRules().stream()
                                .anyMatch(rule -> rule.name().equalsIgnoreCase(name)));
        of(namespace, name != null && isRule ? name : "").failed++;
    }

    private Numbers of(Namespace namespace, String name) {
        Rule key = key(namespace, name);
        Numbers known = rules.get(key);
        if (known == null && rules.size() >= RULES_MAX) {
            key = key(namespace, "");
        }
        return rules.computeIfAbsent(key, none -> new Numbers());
    }

    private static Rule key(Namespace namespace, String name) {
        return new Rule(namespace.name(), name.toLowerCase(Locale.ROOT));
    }

    /** Returns the numbers of all rules that had a connection or a wrong key. */
    public synchronized List<Count> counts() {
        List<Count> all = new ArrayList<>();
        rules.forEach((rule, numbers) ->
                all.add(new Count(rule.namespace(), rule.name(), numbers.connections, numbers.failed)));
        return all;
    }
}
