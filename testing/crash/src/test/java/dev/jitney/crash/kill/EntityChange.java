package dev.jitney.crash.kill;

/**
 * One change of an entity, as a line of text for the process that makes it.
 *
 * @param path of the entity; of a rule that of its subscription
 * @param rule its name, or {@code -}
 * @param number what distinguishes one description from another
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

    /** The topic of a subscription's path. */
    String topic() {
        return path.substring(0, path.indexOf('/'));
    }

    /** The subscription's own name. */
    String subscription() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
