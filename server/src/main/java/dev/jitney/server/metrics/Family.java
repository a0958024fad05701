package dev.jitney.server.metrics;

/** One metric as Prometheus knows it: a name, a type and a sentence. Two of them are never equal. */
final class Family {

    /** What may be done with the numbers. */
    enum Type {
        /** A sum that only grows, until the process ends. */
        COUNTER,
        /** A number that goes up and down. */
        GAUGE,
        /** Values by size class. */
        HISTOGRAM
    }

    private final Type type;
    private final String name;
    private final String help;

    private Family(Type type, String name, String help) {
        this.type = type;
        this.name = name;
        this.help = help;
    }

    /** @param name without {@code _total} */
    static Family counter(String name, String help) {
        return new Family(Type.COUNTER, name, help);
    }

    static Family gauge(String name, String help) {
        return new Family(Type.GAUGE, name, help);
    }

    static Family histogram(String name, String help) {
        return new Family(Type.HISTOGRAM, name, help);
    }

    Type type() {
        return type;
    }

    /** The name without what the type adds to it. */
    String name() {
        return name;
    }

    /** The name samples are found by. */
    String shownName() {
        return type == Type.COUNTER ? name + "_total" : name;
    }

    String help() {
        return help;
    }
}
