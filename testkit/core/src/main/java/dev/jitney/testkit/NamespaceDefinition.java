package dev.jitney.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queues and topics that a namespace begins with. They come from calls, from the {@code Config.json} of Microsoft's emulator,
 * or from both. Not thread-safe.
 */
public final class NamespaceDefinition {
    private static final long FILE_BYTES_MAX = 16L << 20;

    private final Map<String, Object> queues = new LinkedHashMap<>();
    private final Map<String, Object> topics = new LinkedHashMap<>();
    private @Nullable JsonObject file;

    /** Creates a definition without entities. */
    public NamespaceDefinition() {}

    /** Adds a queue with default settings. */
    public NamespaceDefinition queue(String name) {
        return queue(name, q -> {});
    }

    /** Adds a queue. A queue of the same name in the configuration file, or added before, is replaced. */
    public NamespaceDefinition queue(String name, Consumer<QueueDefinition> settings) {
        QueueDefinition made = new QueueDefinition(name);
        settings.accept(made);
        queues.put(name, made.toJson());
        return this;
    }

    /** Adds a topic without subscriptions. */
    public NamespaceDefinition topic(String name) {
        return topic(name, t -> {});
    }

    /** Adds a topic with its subscriptions. A topic of the same name in the configuration file, or added before, is replaced. */
    public NamespaceDefinition topic(String name, Consumer<TopicDefinition> settings) {
        TopicDefinition made = new TopicDefinition(name);
        settings.accept(made);
        topics.put(name, made.toJson());
        return this;
    }

    /**
     * Adds the entities of the only namespace in a configuration file of Microsoft's emulator.
     *
     * @throws JitneyException if the file cannot be read, or has another number of namespaces
     */
    public NamespaceDefinition config(Path configuration) {
        return config(configuration, null);
    }

    /**
     * Adds the entities of one namespace in a configuration file of Microsoft's emulator.
     *
     * @param namespace the name of the namespace, or null for the only one
     * @throws JitneyException if the file cannot be read, or has no such namespace
     */
    public NamespaceDefinition config(Path configuration, @Nullable String namespace) {
        String start = "config: " + configuration + ": ";
        List<JsonObject> namespaces;
        try {
            if (Files.size(configuration) > FILE_BYTES_MAX) {
                throw new JitneyException(start + "Expected at most " + FILE_BYTES_MAX + " bytes, but got more.");
            }
            namespaces = JsonObject.of(Json.readFile(Files.readString(configuration)))
                    .object("UserConfig")
                    .objects("Namespaces");
        } catch (IOException e) {
            throw new JitneyException(
                    start + "The file cannot be read (" + e + "). The folder of the test is "
                            + Path.of("").toAbsolutePath() + ".",
                    0,
                    e);
        } catch (IllegalArgumentException e) {
            throw new JitneyException(start + e.getMessage(), 0, e);
        }
        List<String> names = namespaces.stream()
                .map(element -> String.valueOf(element.textOrNull("Name")))
                .toList();
        int index = namespace == null ? 0 : names.indexOf(namespace);
        if (namespaces.isEmpty() || index < 0 || namespace == null && names.size() > 1) {
            throw new JitneyException(start + "Expected "
                    + (namespace == null
                            ? "one namespace in UserConfig.Namespaces"
                            : "the namespace '" + namespace + "'")
                    + ", but the file has " + names + "."
                    + (names.size() > 1 ? " Choose one of them with config(file, name)." : ""));
        }
        file = namespaces.get(index);
        return this;
    }

    /** Returns the definition as an element of the emulator's file, without its name. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        JsonObject base = Objects.requireNonNullElse(file, new JsonObject(Map.of()));
        base.members().forEach((name, value) -> json.put(String.valueOf(name), Objects.requireNonNullElse(value, "")));
        json.remove("Name");
        json.put("Queues", merged(base.objects("Queues"), queues));
        json.put("Topics", merged(base.objects("Topics"), topics));
        return json;
    }

    private static List<Object> merged(List<JsonObject> declared, Map<String, Object> added) {
        List<Object> all = new ArrayList<>();
        for (JsonObject entity : declared) {
            if (!added.containsKey(String.valueOf(entity.textOrNull("Name")))) {
                all.add(entity.members());
            }
        }
        all.addAll(added.values());
        return all;
    }
}
