package dev.jitney.server.metrics;

/** One metric of Prometheus: a name, a type and a description. Two of them are never equal. */
final class Family {

    /** The type of a metric. */
    enum Type {
        /** A sum that only increases until the process ends. */
        COUNTER,
        /** A number that increases and decreases. */
        GAUGE,
        /** Numbers of values by bucket. */
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

    /** Returns the name without the suffix of its type. */
    String name() {
        return name;
    }

    /** Returns the name of its samples. */
    String shownName() {
        return type == Type.COUNTER ? name + "_total" : name;
    }

    String help() {
        return help;
    }
}
