package dev.jitney.server;

import dev.jitney.model.AccessRule;
import dev.jitney.model.KeyPolicy;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.QueueConfig;
import dev.jitney.server.config.TopicConfig;
import dev.jitney.server.stores.StorePlaces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Refuses options that contradict each other or the safety of the machine, before anything is opened. */
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
                            ? "--amqp-port off, --http-port off: Expected something to listen on, but nothing is left; give"
                                    + " one of them a port, or add --amqps-port 5671 --tls auto."
                            : "--tls: Expected a listener that uses it; add --port 5672, --amqps-port 5671 or --https-port"
                                    + " 8443, or leave it out.");
        }
        if (plan.tls() && options.tls() == null) {
            String option = options.amqpsPort() != null ? "--amqps-port" : "--https-port";
            throw StartException.badOption(
                    option + ": Expected a certificate for this listener; add --tls auto or --tls CERT,KEY.");
        }
        if (!plan.tls() && options.tls() != null) {
            throw StartException.badOption("--tls: Expected a listener that uses it; add --port 5672, --amqps-port 5671"
                    + " or --https-port 8443, or leave it out.");
        }
        checkStores(options.stores());
        Integer throttling = options.throttling();
        if (throttling != null && throttling < 0) {
            throw StartException.badOption("--throttling: Expected 0 to " + Integer.MAX_VALUE
                    + " credits per second (0 = no throttling), but got " + throttling + ".");
        }
        if (options.metrics().entitiesMax() < 0) {
            throw StartException.badOption("--metrics-entities: Expected a number of entities from 0 on, but got "
                    + options.metrics().entitiesMax() + ".");
        }
        checkKey(options.sasKey());
        checkExposure(options, namespaces);
    }

    private static void checkStores(StorePlaces places) throws StartException {
        Integer count = places.count();
        if (count != null && (count < 1 || count > MAX_STORES)) {
            throw StartException.badOption("--stores: Expected 1 to " + MAX_STORES + ", but got " + count + ".");
        }
        int directories = places.directories().size();
        if (directories > MAX_STORES) {
            throw StartException.badOption(
                    "--store-dirs: Expected at most " + MAX_STORES + " directories, but got " + directories + ".");
        }
        if (directories > places.stores()) {
            throw StartException.badOption("--stores " + places.stores()
                    + ": Expected at least one store for each directory of --store-dirs, which are " + directories
                    + "; give --stores " + directories + " or more, or leave it out.");
        }
        for (Path directory : places.directories()) {
            if (directory.toString().isBlank()) {
                throw StartException.badOption(
                        "--store-dirs: Expected directories with commas between them, but one of" + " them is empty.");
            }
        }
    }

    private static void checkPorts(ServerOptions options) throws StartException {
        List<Integer> everything = options.ports() == null ? List.of() : options.ports();
        if (options.ports() != null && (everything.isEmpty() || everything.size() > MAX_PORTS)) {
            throw StartException.badOption("--port: Expected 1 to " + MAX_PORTS
                    + " ports with commas between them, but got " + everything.size() + ".");
        }
        for (int port : everything) {
            checkPort("--port", port);
        }
        checkPort("--amqp-port", options.plainAmqp().number());
        checkPort("--http-port", options.plainHttp().number());
        checkPort("--amqps-port", options.amqpsPort());
        checkPort("--https-port", options.httpsPort());
    }

    private static void checkPort(String option, @Nullable Integer port) throws StartException {
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw StartException.badOption(
                    option + ": Expected a port from 0 to " + MAX_PORT + " (0 = any free one), but got " + port + ".");
        }
    }

    private static void checkKey(@Nullable String key) throws StartException {
        if (key != null
                && (key.isEmpty()
                        || key.length() > ServerOptions.MAX_SAS_KEY_CHARACTERS
                        || key.chars().anyMatch(c -> c <= ' ' || c == ';'))) {
            throw StartException.badOption("--sas-key: Expected 1 to " + ServerOptions.MAX_SAS_KEY_CHARACTERS
                    + " characters without blanks and ';'; make one with: openssl rand -base64 32");
        }
    }

    /** A key that everybody knows, or can guess, may open nothing that others can reach. */
    private static void checkExposure(ServerOptions options, List<NamespaceSettings> namespaces) throws StartException {
        try {
            InetAddress.getByName(options.host());
        } catch (UnknownHostException e) {
            throw StartException.badOption(
                    "--host " + options.host() + ": This name has no address; give one of this machine's addresses.",
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
     * Judges the rules that are in force after a start, whoever made them: the options, the file, or somebody at run time
     * and in an earlier life.
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
                throw StartException.badOption("--host " + options.host() + ": Expected keys of your own of at least "
                        + KeyPolicy.CHARACTERS_MIN + " characters where others can connect, but rule '" + rule.name()
                        + "' of " + owner + " is weak: " + weakness + "; "
                        + (root
                                ? "add --sas-key-file FILE (make one with: openssl rand -base64 32)"
                                : "give it another key (start with --host 127.0.0.1 to change it, or change the"
                                        + " --config file)")
                        + ", bind --host 127.0.0.1, or permit it with --allow-public-key.");
            }
        }
    }
}
