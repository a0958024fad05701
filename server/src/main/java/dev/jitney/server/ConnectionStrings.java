package dev.jitney.server;

import dev.jitney.model.AccessRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connection strings of the namespaces of a started server. Any host name selects the first namespace; the first label
 * of the host name selects the others.
 *
 * @param host the host name for clients on this machine
 * @param port the port for clients, or null for the usual port of TLS
 * @param plain true for connections without TLS, which clients know as the development emulator
 */
record ConnectionStrings(String host, @Nullable Integer port, boolean plain, List<NamespaceSettings> namespaces) {
    private static final int AMQPS_PORT = 5671;

    static ConnectionStrings of(
            ServerOptions options,
            List<NamespaceSettings> namespaces,
            @Nullable Integer amqpPort,
            @Nullable Integer amqpsPort,
            @Nullable Integer httpPort,
            @Nullable Integer httpsPort) {
        boolean plain = amqpPort != null || amqpsPort == null && httpsPort == null;
        Integer port;
        if (plain) {
            port = amqpPort != null ? amqpPort : httpPort;
        } else {
            port = amqpsPort != null ? amqpsPort : httpsPort;
        }
        boolean usual = !plain && port != null && port == AMQPS_PORT;
        return new ConnectionStrings(Hosts.reachable(options.host()), usual ? null : port, plain, namespaces);
    }

    /** Returns the connection strings with the keys, for programs. */
    List<String> withKeys() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < namespaces.size(); i++) {
            all.add(text(i, namespaces.get(i).mainRule().primaryKey()));
        }
        return all;
    }

    /**
     * Returns the connection strings for people and logs: with the public default key, otherwise with the source of the
     * key.
     */
    List<String> printable() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < namespaces.size(); i++) {
            AccessRule rule = namespaces.get(i).mainRule();
            boolean known = ServerOptions.DEFAULT_SAS_KEY.equals(rule.primaryKey());
            all.add(text(
                    i, known ? rule.primaryKey() : "<from " + namespaces.get(i).mainKeySource() + ">"));
        }
        return all;
    }

    /** Returns the connection string of a namespace that is selected by the name of a key. */
    String ofKey(AccessRule rule) {
        return text(host, rule.name(), rule.primaryKey());
    }

    private String text(int index, String key) {
        NamespaceSettings namespace = namespaces.get(index);
        String name = index == 0 ? host : namespace.name() + "." + host;
        return text(name, namespace.mainRule().name(), key);
    }

    private String text(String hostName, String keyName, String key) {
        return "Endpoint=sb://" + hostName + (port == null ? "" : ":" + port) + ";SharedAccessKeyName=" + keyName
                + ";SharedAccessKey=" + key + (plain ? ";UseDevelopmentEmulator=true;" : ";");
    }
}
