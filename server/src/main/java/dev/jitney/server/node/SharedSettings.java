package dev.jitney.server.node;

import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.server.config.Digests;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings that should be the same on all nodes (CL-31), by the name of their option. Addresses, directories, ports, memory
 * and logging are not among them. Nor is {@code --cluster-nodes}: the members agree on their addresses, and a node that was added
 * is in the options of the others only when these are brought up to date.
 */
public final class SharedSettings {
    private static final int DIGEST_CHARACTERS = 8;

    private SharedSettings() {}

    /**
     * Returns a short digest of each setting, so that nodes can compare them without sending keys.
     *
     * @param namespaces   the effective options of the namespaces
     * @param electionMs   shortest election timeout in milliseconds
     * @param stores       the number of stores
     * @param configDigest a digest of the configuration file
     * @param key          the key of the root rules, or null for the default one
     * @param tls          whether the nodes use TLS among themselves
     * @param sealId       the id of the key that encrypts access keys, or empty text
     */
    public static Map<String, String> digests(
            List<NamespaceOptions> namespaces,
            int electionMs,
            int stores,
            String configDigest,
            @Nullable String key,
            boolean tls,
            String sealId) {
        Map<String, String> digests = new HashMap<>();
        put(digests, "--cluster-election-ms", "" + electionMs);
        put(digests, "--cluster-tls", "" + tls);
        put(digests, "--stores", "" + stores);
        put(digests, "--config", configDigest);
        put(digests, "--sas-key-file", key == null ? "" : key);
        put(digests, "--secrets-key-file", sealId);
        each(digests, "--tier or --limit", namespaces, options -> options.limits());
        each(digests, "--expiry-enforcement", namespaces, NamespaceOptions::expiryEnforcement);
        each(digests, "--throttling", namespaces, NamespaceOptions::creditsPerSecond);
        each(digests, "--transfer-failure-target", namespaces, NamespaceOptions::transferFailureTarget);
        each(digests, "--deletion-lock", namespaces, NamespaceOptions::deletionLocked);
        each(digests, "--partitioning-default or --premium-partitions", namespaces, NamespaceOptions::partitioning);
        return digests;
    }

    private static void each(
            Map<String, String> digests,
            String option,
            List<NamespaceOptions> namespaces,
            Function<NamespaceOptions, Object> setting) {
        StringBuilder all = new StringBuilder();
        for (NamespaceOptions namespace : namespaces) {
            all.append(namespace.name())
                    .append('=')
                    .append(setting.apply(namespace))
                    .append(';');
        }
        put(digests, option, all.toString());
    }

    private static void put(Map<String, String> digests, String option, String value) {
        // Names of options travel without spaces.
        digests.put(
                option.replace(' ', '_'),
                Digests.sha256(value.getBytes(StandardCharsets.UTF_8)).substring(0, DIGEST_CHARACTERS));
    }

    /** Returns the options in which two nodes differ, in order. An option that one of them does not know is another release's. */
    static List<String> differences(Map<String, String> one, Map<String, String> other) {
        TreeSet<String> options = new TreeSet<>(one.keySet());
        options.retainAll(other.keySet());
        return options.stream()
                .filter(option -> !one.getOrDefault(option, "").equals(other.getOrDefault(option, "")))
                .map(option -> option.replace('_', ' '))
                .toList();
    }
}
