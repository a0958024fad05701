package dev.jitney.crash.kill;

/**
 * One change of an entity, as a line of text for the process that makes it.
 *
 * @param path the path of the entity; for a rule, the path of its subscription
 * @param rule the name of the rule, or {@code -}
 * @param number distinguishes descriptions of the same entity
 */
record EntityChange(Kind kind, String path, String rule, int number) {

    enum Kind {
        CREATE_QUEUE,
        UPDATE_QUEUE,
        CREATE_TOPIC,
        UPDATE_TOPIC,
        CREATE_SUBSCRIPTION,
        UPDATE_SUBSCRIPTION,
        CREATE_RULE,
        UPDATE_RULE,
        DELETE_RULE,
        DELETE
    }

    String toLine() {
        return kind + " " + path + " " + rule + " " + number;
    }

    static EntityChange parse(String line) {
        String[] parts = line.split(" ");
        return new EntityChange(Kind.valueOf(parts[0]), parts[1], parts[2], Integer.parseInt(parts[3]));
    }

    /** Returns the topic in the path of a subscription. */
    String topic() {
        return path.substring(0, path.indexOf('/'));
    }

    /** Returns the name of a subscription without its topic. */
    String subscription() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
