package dev.jitney.server.secrets;

import dev.jitney.model.AccessRule;
import dev.jitney.server.config.KeySource;
import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files from which the keys of rules come: those of the configuration, and the file of the root key. */
public final class KeyFiles {
    /** The place of a key that comes from a file, in fingerprints of the configuration. No key has a control character. */
    private static final String IN_A_FILE = "\u0001file";

    private KeyFiles() {}

    /** Returns all files with keys. */
    public static List<KeySource> sources(ServerConfig config, Secrets secrets) {
        List<KeySource> sources = new ArrayList<>(config.keySources());
        Path root = secrets.sasKeyFile();
        if (root != null) {
            for (NamespaceConfig namespace : config.namespaces()) {
                sources.removeIf(source -> source.namespace().equalsIgnoreCase(namespace.name())
                        && source.entity() == null
                        && source.primary()
                        && source.rule().equalsIgnoreCase(AccessRule.ROOT_NAME));
                sources.add(new KeySource(namespace.name(), null, AccessRule.ROOT_NAME, true, root));
            }
        }
        return sources;
    }

    /** Returns the rules of a namespace without the keys that come from files. */
    public static List<AccessRule> withoutKeys(String namespace, List<AccessRule> rules, List<KeySource> sources) {
        List<AccessRule> declared = new ArrayList<>();
        for (AccessRule rule : rules) {
            AccessRule shown = rule;
            for (KeySource source : sources) {
                if (source.entity() == null
                        && source.namespace().equalsIgnoreCase(namespace)
                        && source.rule().equalsIgnoreCase(rule.name())) {
                    shown = new AccessRule(
                            shown.name(),
                            shown.rights(),
                            source.primary() ? IN_A_FILE : shown.primaryKey(),
                            source.primary() ? shown.secondaryKey() : IN_A_FILE);
                }
            }
            declared.add(shown);
        }
        return declared;
    }
}
