package dev.jitney.cli.access;

import dev.jitney.cli.connection.NamespaceAddress;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.operator.OperatorServer;
import dev.jitney.cli.output.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Requests for the access rules of one namespace, queue or topic. Refusals are {@link Failure}s. */
final class AccessRules {
    private final OperatorServer server;
    private final NamespaceAddress address;
    private final @Nullable String entity;
    private final String path;

    /** @param entity the path of a queue or topic, or null for the namespace */
    AccessRules(NamespaceClients clients, @Nullable String entity) {
        this.server = new OperatorServer(clients);
        this.address = clients.server().address();
        this.entity = entity;
        this.path = OperatorServer.PREFIX
                + (entity == null ? "" : "/entities/" + OperatorServer.encoded(entity))
                + "/accessRules";
    }

    /** One rule as the server describes it. The rights are in the order of the server. */
    record Rule(String name, List<String> rights) {}

    /** Returns the rules by name, without keys. Names are equal in any case. */
    Map<String, Rule> all() {
        Map<String, Rule> rules = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (server.get(path).get("accessRules") instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> document) {
                    Rule rule = rule(document);
                    rules.put(rule.name(), rule);
                }
            }
        }
        return rules;
    }

    private static Rule rule(Map<?, ?> document) {
        List<String> rights = new ArrayList<>();
        if (document.get("rights") instanceof List<?> list) {
            list.forEach(right -> rights.add(String.valueOf(right)));
        }
        return new Rule(String.valueOf(document.get("accessRule")), rights);
    }

    /** Creates a rule with new keys. The caller has made sure that no rule has this name. */
    void create(String name, List<String> rights) {
        server.put(at(name), Map.of("rights", rights));
    }

    /** Gives a rule a new primary or secondary key. The old one is refused from now on. */
    void renew(String name, Key key) {
        server.post(at(name) + "/renew?key=" + key.word());
    }

    /** Exchanges the keys of a rule. */
    void swap(String name) {
        server.post(at(name) + "/swap");
    }

    void delete(String name) {
        server.delete(at(name));
    }

    /**
     * Returns a connection string with a key of the rule: the address of this command with the name and the key. The server writes an
     * entry to the audit trail.
     */
    String connectionString(String name, Key key) {
        Object value = server.post(at(name) + "/keys").get(key.word() + "Key");
        if (value == null) {
            throw new Failure(Failure.NOT_FOUND, "The access rule '" + name + "' has no " + key.word() + " key.");
        }
        return "Endpoint=sb://" + address.host() + (address.port() == null ? "" : ":" + address.port())
                + ";SharedAccessKeyName=" + name + ";SharedAccessKey=" + value
                + (entity == null ? "" : ";EntityPath=" + entity)
                + (address.emulator() ? ";UseDevelopmentEmulator=true;" : ";");
    }

    private String at(String name) {
        return path + "/" + OperatorServer.encoded(name);
    }

    /** The two keys of a rule. */
    enum Key {
        PRIMARY("primary"),
        SECONDARY("secondary");

        private final String word;

        Key(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }
}
