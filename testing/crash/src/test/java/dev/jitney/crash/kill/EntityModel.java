package dev.jitney.crash.kill;

import dev.jitney.crash.kill.EntityChange.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The expected entities of a namespace after the acknowledged changes. */
final class EntityModel {
    private static final String DONE = "DONE";
    private static final String EXISTS = "ENTITY_EXISTS";
    private static final String MISSING = "ENTITY_NOT_FOUND";

    private final TreeMap<String, Described> entities = new TreeMap<>();

    /** @param kind the kind as the service names it */
    private record Described(String kind, int number, TreeMap<String, Integer> rules) {}

    EntityModel copy() {
        EntityModel copy = new EntityModel();
        entities.forEach((path, entity) ->
                copy.entities.put(path, new Described(entity.kind, entity.number, new TreeMap<>(entity.rules))));
        return copy;
    }

    /** Makes a change and returns the expected reply. */
    String apply(EntityChange change) {
        Described there = entities.get(change.path());
        return switch (change.kind()) {
            case CREATE_QUEUE -> create("Queue", change, there, null);
            case CREATE_TOPIC -> create("Topic", change, there, null);
            case CREATE_SUBSCRIPTION -> create("Subscription", change, there, entities.get(change.topic()));
            case UPDATE_QUEUE, UPDATE_TOPIC, UPDATE_SUBSCRIPTION -> update(change, there);
            case CREATE_RULE, UPDATE_RULE, DELETE_RULE -> there == null ? MISSING : changeRule(change, there.rules);
            case DELETE -> delete(change.path());
        };
    }

    private String create(String kind, EntityChange change, @Nullable Described there, @Nullable Described topic) {
        if (kind.equals("Subscription") && topic == null) {
            return MISSING;
        }
        if (there != null) {
            return EXISTS;
        }
        TreeMap<String, Integer> rules = new TreeMap<>();
        if (kind.equals("Subscription")) {
            rules.put("first", change.number());
        }
        entities.put(change.path(), new Described(kind, change.number(), rules));
        return DONE;
    }

    private String update(EntityChange change, @Nullable Described there) {
        if (there == null) {
            return MISSING;
        }
        entities.put(change.path(), new Described(there.kind, change.number(), there.rules));
        return DONE;
    }

    private static String changeRule(EntityChange change, Map<String, Integer> rules) {
        boolean there = rules.containsKey(change.rule());
        if (change.kind() == Kind.CREATE_RULE ? there : !there) {
            return there ? EXISTS : MISSING;
        }
        if (change.kind() == Kind.DELETE_RULE) {
            rules.remove(change.rule());
        } else {
            rules.put(change.rule(), change.number());
        }
        return DONE;
    }

    private String delete(String path) {
        if (entities.remove(path) == null) {
            return MISSING;
        }
        entities.keySet().removeIf(other -> other.startsWith(path + "/"));
        return DONE;
    }

    /** Returns a line for each entity, in the order of their paths. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        entities.forEach((path, entity) -> lines.add(line(entity.kind, path, entity.number, entity.rules)));
        return lines;
    }

    static String line(String kind, String path, int number, Map<String, Integer> rules) {
        return kind + " " + path + " " + number + " "
                + rules.entrySet().stream()
                        .map(rule -> rule.getKey() + "=" + rule.getValue())
                        .collect(Collectors.joining(",", "[", "]"));
    }

    /** Returns a random change of a few names, so that many changes find existing entities and some are rejected. */
    static EntityChange random(Random random) {
        int number = 1 + random.nextInt(1_000);
        String queue = "q" + random.nextInt(4);
        String topic = "t" + random.nextInt(3);
        String subscription = topic + "/Subscriptions/s" + random.nextInt(3);
        String rule = random.nextInt(4) == 0 ? "first" : "r" + random.nextInt(3);
        Kind[] kinds = Kind.values();
        Kind kind = kinds[random.nextInt(kinds.length)];
        return switch (kind) {
            case CREATE_QUEUE, UPDATE_QUEUE -> new EntityChange(kind, queue, "-", number);
            case CREATE_TOPIC, UPDATE_TOPIC -> new EntityChange(kind, topic, "-", number);
            case CREATE_SUBSCRIPTION, UPDATE_SUBSCRIPTION -> new EntityChange(kind, subscription, "-", number);
            case CREATE_RULE, UPDATE_RULE, DELETE_RULE -> new EntityChange(kind, subscription, rule, number);
            case DELETE -> {
                int which = random.nextInt(5);
                yield new EntityChange(kind, which < 2 ? queue : which < 4 ? subscription : topic, "-", number);
            }
        };
    }
}
