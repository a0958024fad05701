package dev.jitney.server.doctor.check;

import dev.jitney.model.AccessRule;
import dev.jitney.model.KeyPolicy;
import dev.jitney.server.ServerOptions;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.QueueConfig;
import dev.jitney.server.config.TopicConfig;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys in options and in the configuration: public, short, shared, or visible to others. Keys in stores are not read. */
final class KeysCheck implements Check {
    private static final int GOOD_CHARACTERS = 32;

    @Override
    public String name() {
        return "keys";
    }

    @Override
    public void run(Installation of, Findings to) {
        ServerOptions options = of.options();
        Map<String, String> owners = new HashMap<>();
        for (String option : of.secretsInOptions()) {
            to.advice(
                    "The key of " + option
                            + " is an argument or an environment variable, which other processes can see.",
                    "Put the key into a file, and use --sas-key-file.");
        }
        if (options.allowPublicKey() && options.isExposed()) {
            to.warning("--allow-public-key lets other machines use public and weak keys.", "Remove this option.");
        }
        List<NamespaceConfig> namespaces = options.config().namespaces();
        if (namespaces.stream().allMatch(namespace -> namespace.accessRules() == null)) {
            String key = options.sasKey();
            rule(options, AccessRule.root(key == null ? ServerOptions.DEFAULT_SAS_KEY : key), "the server", owners, to);
        }
        for (NamespaceConfig namespace : namespaces) {
            rules(options, namespace.accessRules(), "namespace '" + namespace.name() + "'", owners, to);
            for (QueueConfig queue : namespace.queues()) {
                rules(options, queue.describe().accessRules(), "queue '" + queue.path() + "'", owners, to);
            }
            for (TopicConfig topic : namespace.topics()) {
                rules(options, topic.describe().accessRules(), "topic '" + topic.path() + "'", owners, to);
            }
        }
        if (to.isClean()) {
            to.ok("The keys of options and configuration are long and not public. Keys in stores were not read.");
        }
    }

    private static void rules(
            ServerOptions options,
            @Nullable List<AccessRule> rules,
            String owner,
            Map<String, String> owners,
            Findings to) {
        if (rules != null) {
            rules.forEach(rule -> rule(options, rule, owner, owners, to));
        }
    }

    private static void rule(
            ServerOptions options, AccessRule rule, String owner, Map<String, String> owners, Findings to) {
        String where = "Rule '" + rule.name() + "' of " + owner;
        String weakness = KeyPolicy.weakness(rule);
        if (weakness != null && options.isExposed()) {
            to.fault(
                    where + " is weak, and other machines can connect: " + weakness + ".",
                    "Make a key with: openssl rand -base64 32");
        } else if (weakness != null) {
            to.advice(
                    where + " is weak: " + weakness + ". Only programs on this machine can use it.",
                    "Make a key with openssl rand -base64 32 and give it with --sas-key-file before others can"
                            + " connect.");
        } else if (rule.primaryKey().length() < GOOD_CHARACTERS) {
            to.advice(
                    where + " has a key of " + rule.primaryKey().length() + " characters.",
                    "Make a key of 44 characters with: openssl rand -base64 32");
        }
        String other = owners.putIfAbsent(rule.primaryKey(), where);
        if (other != null) {
            to.warning(
                    where + " has the same key as " + other.substring(0, 1).toLowerCase(Locale.ROOT)
                            + other.substring(1) + ".",
                    "Give each rule a key of its own, so that you can revoke one of them.");
        }
    }
}
