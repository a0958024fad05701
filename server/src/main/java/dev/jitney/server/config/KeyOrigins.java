package dev.jitney.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The places outside a configuration from which the keys of its rules may come: files and environment variables that it names, and the
 * directory of {@code --secrets-dir}. For one reading of a file.
 */
public final class KeyOrigins {
    private static final String SECONDARY = ".secondary";

    private final boolean allowed;
    private final Path base;
    private final @Nullable Path directory;
    private final Map<String, String> environment;
    private final List<KeySource> sources = new ArrayList<>();
    private String namespace = "";

    private KeyOrigins(boolean allowed, Path base, @Nullable Path directory, Map<String, String> environment) {
        this.allowed = allowed;
        this.base = base;
        this.directory = directory;
        this.environment = environment;
    }

    /** Allows no references, for content that a client has sent: it must not choose files of the server. */
    public static KeyOrigins none() {
        return new KeyOrigins(false, Path.of(""), null, Map.of());
    }

    /**
     * Allows references.
     *
     * @param file the configuration file; relative paths in it start at its directory
     * @param directory the directory with one file for each key, or null
     */
    public static KeyOrigins of(Path file, @Nullable Path directory, Map<String, String> environment) {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return new KeyOrigins(true, parent == null ? Path.of("") : parent, directory, environment);
    }

    /** Returns the files of the keys that were read. */
    List<KeySource> sources() {
        return sources;
    }

    /** Begins a namespace. */
    void namespace(String name) {
        namespace = name;
    }

    /**
     * Returns a key of a rule: from the member {@code PrimaryKey}, {@code PrimaryKeyFile} or {@code PrimaryKeyEnv}, or from the directory.
     *
     * @param member {@code PrimaryKey} or {@code SecondaryKey}
     * @param entity the name of the queue or topic, or null for the namespace
     * @return null if there is none
     */
    @Nullable
    String key(ConfigObject rule, String name, String member, @Nullable String entity) {
        String file = rule.text(member + "File");
        String variable = rule.text(member + "Env");
        int given = (rule.has(member) ? 1 : 0) + (file == null ? 0 : 1) + (variable == null ? 0 : 1);
        if (given > 1) {
            throw rule.invalid(
                    member, "Expected one of " + member + ", " + member + "File and " + member + "Env, but got more.");
        }
        if (!allowed && (file != null || variable != null)) {
            throw rule.invalid(
                    file != null ? member + "File" : member + "Env",
                    "Expected the key itself, because this content was sent to the server. Files and variables are read"
                            + " from --config only.");
        }
        boolean primary = member.startsWith("P");
        if (variable != null) {
            return fromEnvironment(rule, member, variable);
        }
        if (file != null) {
            return fromFile(rule, member + "File", new KeySource(namespace, entity, name, primary, base.resolve(file)));
        }
        Path found = rule.has(member) ? null : inDirectory(name, entity, primary);
        return found == null ? null : fromFile(rule, member, new KeySource(namespace, entity, name, primary, found));
    }

    private String fromEnvironment(ConfigObject rule, String member, String variable) {
        String key = environment.get(variable);
        if (key == null || key.isBlank()) {
            throw rule.invalid(
                    member + "Env", "Expected a key in the environment variable " + variable + ", but it has none.");
        }
        return key.strip();
    }

    private String fromFile(ConfigObject rule, String member, KeySource source) {
        try {
            String key = KeySource.read(source.file());
            sources.add(source);
            return key;
        } catch (IOException e) {
            throw rule.invalid(member, "The file " + source.file() + " has no usable key (" + e.getMessage() + ").");
        }
    }

    /** Returns the file for a key, the most specific name first, or null. */
    private @Nullable Path inDirectory(String rule, @Nullable String entity, boolean primary) {
        if (directory == null) {
            return null;
        }
        List<String> names = entity == null
                ? List.of(namespace + "." + rule, rule)
                : List.of(namespace + "." + entity.replace("/", "__") + "." + rule);
        for (String name : names) {
            if (!name.contains("/") && !name.startsWith(".")) {
                Path file = directory.resolve(primary ? name : name + SECONDARY);
                if (Files.isRegularFile(file)) {
                    return file;
                }
            }
        }
        return null;
    }
}
