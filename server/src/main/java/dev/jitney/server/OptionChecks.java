package dev.jitney.server;

import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.model.AccessRule;
import dev.jitney.model.KeyPolicy;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.TlsPolicy;
import dev.jitney.server.archive.ArchiveOptions;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.QueueConfig;
import dev.jitney.server.config.TopicConfig;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.stores.InMemory;
import dev.jitney.server.stores.StorePlaces;
import dev.jitney.server.tls.TlsSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks that refuse contradictory or unsafe options before anything is opened. */
final class OptionChecks {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORTS = 16;
    private static final int MAX_STORES = 64;

    private OptionChecks() {}

    static void check(ServerOptions options, List<NamespaceSettings> namespaces) throws StartException {
        checkPorts(options);
        ListenerPlan plan = options.listeners();
        if (plan.isEmpty()) {
            throw StartException.badOption(
                    options.tls() == null
                            ? "--amqp-port off, --http-port off: Expected at least one port to listen on, but got none. Set"
                                    + " one of these ports, or add --amqps-port 5671 --tls auto."
                            : "--tls: Expected a port that uses TLS, but got none. Add --port 5672, --amqps-port 5671"
                                    + " or --https-port 8443, or remove --tls.");
        }
        if (plan.tls() && options.tls() == null) {
            String option = options.amqpsPort() != null ? "--amqps-port" : "--https-port";
            throw StartException.badOption(
                    option + ": Expected a certificate for this port, but got none. Add --tls auto or --tls CERT,KEY.");
        }
        if (!plan.tls() && options.tls() != null) {
            throw StartException.badOption("--tls: Expected a port that uses TLS, but got none. Add --port 5672,"
                    + " --amqps-port 5671 or --https-port 8443, or remove --tls.");
        }
        checkTls(options);
        checkStores(options.stores());
        checkMemory(options);
        checkTestMode(options);
        checkArchive(options);
        Integer throttling = options.throttling();
        if (throttling != null && throttling < 0) {
            throw StartException.badOption("--throttling: Expected 0 to " + Integer.MAX_VALUE
                    + " credits per second (0 = no throttling), but got " + throttling + ".");
        }
        if (options.metrics().entitiesMax() < 0) {
            throw StartException.badOption("--metrics-entities: Expected 0 or more entities, but got "
                    + options.metrics().entitiesMax() + ".");
        }
        ClusterOptions cluster = options.cluster();
        if (cluster != null) {
            ClusterChecks.check(cluster);
            if (options.healthPort() != null) {
                throw StartException.badOption(
                        "--health-port: Expected a single node, because the node port of a cluster serves the health page"
                                + " without a certificate. Remove the option.");
            }
            if (options.archive() != null) {
                throw StartException.badOption(
                        "--archive-dir: Expected a single node, because the nodes of a cluster have no logs of their own."
                                + " Remove --cluster-nodes or --archive-dir. See docs/guides/backup.md.");
            }
        }
        OidcSettings provider = options.identityProvider();
        if (provider != null && provider.login() != null && options.console() == ConsoleAccess.OFF) {
            throw StartException.badOption(
                    "--console-oidc-client: Expected a server with the web console, but --console is"
                            + " off. Set --console ON, or LOOPBACK for browsers on this machine, or remove --console-oidc-client.");
        }
        checkKey(options.sasKey());
        checkExposure(options, namespaces);
    }

    private static void checkTls(ServerOptions options) throws StartException {
        TlsSettings settings = options.tlsSettings();
        TlsPolicy policy = settings.policy();
        if (options.tls() == null && !settings.equals(TlsSettings.DEFAULT)) {
            throw StartException.badOption(
                    "--tls: Expected a certificate for the settings of TLS, but got none. Add --tls auto or --tls CERT,KEY, or"
                            + " remove the options that begin with --tls-.");
        }
        String contradiction = policy.contradiction();
        if (contradiction != null) {
            throw StartException.badOption("--tls-ciphers: " + contradiction);
        }
        boolean off = policy.clientAuthentication() == TlsPolicy.ClientAuthentication.OFF;
        if (!off && settings.clientAuthorities() == null) {
            throw StartException.badOption("--tls-client-auth " + policy.clientAuthentication()
                    + ": Expected the authorities of the clients, but got none. Add --tls-client-ca FILE.");
        }
        if (off && settings.clientAuthorities() != null) {
            throw StartException.badOption(
                    "--tls-client-ca: Expected --tls-client-auth OPTIONAL or REQUIRED, but it is OFF.");
        }
        if (off && settings.clientRules() != null) {
            throw StartException.badOption(
                    "--tls-client-rules: Expected the authorities of the clients, but got none. Add"
                            + " --tls-client-ca FILE.");
        }
    }

    private static void checkStores(StorePlaces places) throws StartException {
        Integer count = places.count();
        if (count != null && (count < 1 || count > MAX_STORES)) {
            throw StartException.badOption("--stores: Expected 1 to " + MAX_STORES + " stores, but got " + count + ".");
        }
        int directories = places.directories().size();
        if (directories > MAX_STORES) {
            throw StartException.badOption(
                    "--store-dirs: Expected at most " + MAX_STORES + " directories, but got " + directories + ".");
        }
        if (directories > places.stores()) {
            throw StartException.badOption("--stores " + places.stores()
                    + ": Expected at least one store for each of the " + directories
                    + " directories in --store-dirs. Set --stores " + directories + " or more, or remove --stores.");
        }
        for (Path directory : places.directories()) {
            if (directory.toString().isBlank()) {
                throw StartException.badOption(
                        "--store-dirs: Expected directories separated by commas, but one of them is empty.");
            }
        }
    }

    private static void checkTestMode(ServerOptions options) throws StartException {
        if (options.testMode() != TestModeAccess.OFF && options.cluster() != null) {
            throw StartException.badOption(
                    "--test-mode: Expected a single node, because the nodes of a cluster have one time. Remove --cluster-nodes or"
                            + " --test-mode.");
        }
    }

    private static void checkMemory(ServerOptions options) throws StartException {
        InMemory memory = options.inMemory();
        if (memory == null) {
            return;
        }
        refuseInMemory("--data-dir", options.dataDir() != null);
        refuseInMemory("--store-dirs", !options.stores().directories().isEmpty());
        refuseInMemory("--cluster-nodes", options.cluster() != null);
        refuseInMemory("--cluster-leave", options.leave() != null);
        refuseInMemory("--backup-dir", options.backupDir() != null);
        refuseInMemory("--archive-dir", options.archive() != null);
        String problem = memory.problem(options.stores().stores());
        if (problem != null) {
            throw StartException.badOption("--in-memory-size: " + problem);
        }
    }

    private static void checkArchive(ServerOptions options) throws StartException {
        ArchiveOptions archive = options.archive();
        if (archive == null) {
            return;
        }
        Duration interval = archive.interval();
        if (interval.compareTo(ArchiveOptions.INTERVAL_MIN) < 0
                || interval.compareTo(ArchiveOptions.INTERVAL_MAX) > 0) {
            throw StartException.badOption(
                    "--archive-interval: Expected 100ms to 1h, but got " + interval.toMillis() + "ms.");
        }
        if (archive.holdBytes() < ArchiveOptions.HOLD_BYTES_MIN) {
            throw StartException.badOption(
                    "--archive-hold: Expected 64m or more, but got " + archive.holdBytes() + " bytes.");
        }
        Path backups = options.backupDir();
        Path data = options.dataDir();
        Path own = absolute(archive.directory());
        if (backups != null && absolute(backups).equals(own)) {
            throw StartException.badOption(
                    "--archive-dir: Expected another directory than --backup-dir. Choose one beside it.");
        }
        if (data != null && own.startsWith(absolute(data))) {
            throw StartException.badOption("--archive-dir " + archive.directory()
                    + ": Expected a directory outside --data-dir. Use a disk of its own.");
        }
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static void refuseInMemory(String option, boolean given) throws StartException {
        if (given) {
            throw StartException.badOption(option + ": Expected no such option, because --in-memory keeps everything in"
                    + " memory. Remove one of the two.");
        }
    }

    private static void checkPorts(ServerOptions options) throws StartException {
        List<Integer> everything = options.ports() == null ? List.of() : options.ports();
        if (options.ports() != null && (everything.isEmpty() || everything.size() > MAX_PORTS)) {
            throw StartException.badOption("--port: Expected 1 to " + MAX_PORTS + " ports separated by commas, but got "
                    + everything.size() + ".");
        }
        for (int port : everything) {
            checkPort("--port", port);
        }
        checkPort("--amqp-port", options.plainAmqp().number());
        checkPort("--http-port", options.plainHttp().number());
        checkPort("--amqps-port", options.amqpsPort());
        checkPort("--https-port", options.httpsPort());
        checkPort("--health-port", options.healthPort());
    }

    private static void checkPort(String option, @Nullable Integer port) throws StartException {
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw StartException.badOption(
                    option + ": Expected a port from 0 to " + MAX_PORT + " (0 = any free port), but got " + port + ".");
        }
    }

    private static void checkKey(@Nullable String key) throws StartException {
        if (key != null
                && (key.isEmpty()
                        || key.length() > ServerOptions.MAX_SAS_KEY_CHARACTERS
                        || key.chars().anyMatch(c -> c <= ' ' || c == ';'))) {
            throw StartException.badOption("--sas-key: Expected 1 to " + ServerOptions.MAX_SAS_KEY_CHARACTERS
                    + " characters without spaces or ';'. Create a key with: openssl rand -base64 32");
        }
    }

    /** Refuses public and weak keys if other machines can connect. */
    private static void checkExposure(ServerOptions options, List<NamespaceSettings> namespaces) throws StartException {
        try {
            InetAddress.getByName(options.host());
        } catch (UnknownHostException e) {
            throw StartException.badOption(
                    "--host " + options.host()
                            + ": Expected a host name with an address, but this name has none. Use an"
                            + " address of this machine.",
                    e);
        }
        if (options.keyPolicy() == KeyPolicy.ANY) {
            return;
        }
        for (NamespaceSettings namespace : namespaces) {
            requireOwnKeys(options, namespace.rules(), "namespace '" + namespace.name() + "'");
        }
        for (NamespaceConfig namespace : options.config().namespaces()) {
            for (QueueConfig queue : namespace.queues()) {
                QueueDescription declared = queue.describe();
                requireOwnKeys(options, declared.accessRules(), "queue '" + declared.path() + "'");
            }
            for (TopicConfig topic : namespace.topics()) {
                TopicDescription declared = topic.describe();
                requireOwnKeys(options, declared.accessRules(), "topic '" + declared.path() + "'");
            }
        }
    }

    /**
     * Checks the rules in force after a start, whether they come from the options, from the file or from changes at run
     * time.
     */
    static void checkRulesInForce(ServerOptions options, List<Namespace> namespaces) throws StartException {
        if (options.keyPolicy() == KeyPolicy.ANY) {
            return;
        }
        for (Namespace namespace : namespaces) {
            requireOwnKeys(options, namespace.accessRules(), "namespace '" + namespace.name() + "'");
            for (Entity entity : namespace.entities()) {
                requireOwnKeys(
                        options,
                        entity.description().accessRules(),
                        entity.kind().word().toLowerCase(Locale.ROOT) + " '" + entity.path() + "'");
            }
        }
    }

    private static void requireOwnKeys(ServerOptions options, List<AccessRule> rules, String owner)
            throws StartException {
        for (AccessRule rule : rules) {
            String weakness = KeyPolicy.weakness(rule);
            if (weakness != null) {
                boolean root = rule.name().equalsIgnoreCase(AccessRule.ROOT_NAME) && owner.startsWith("namespace");
                throw StartException.badOption("--host " + options.host() + ": Expected secret keys of at least "
                        + KeyPolicy.CHARACTERS_MIN + " characters because other machines can connect, but rule '"
                        + rule.name() + "' of " + owner + " is weak: " + weakness + ". "
                        + (root
                                ? "Add --sas-key-file FILE (create a key with: openssl rand -base64 32)"
                                : "Change the key (in the --config file, or at run time after a start with --host"
                                        + " 127.0.0.1)")
                        + ", use --host 127.0.0.1, or permit weak keys with --allow-public-key.");
            }
        }
    }
}
