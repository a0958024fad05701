package dev.jitney.distribution.audit;

/**
 * A library that Jitney uses or ships.
 *
 * @param ecosystem {@code Maven} or {@code npm}, as OSV names it
 * @param name {@code group:artifact}, or the name of the package
 */
record Library(String ecosystem, String name, String version) {
    static final String MAVEN = "Maven";
    static final String NPM = "npm";

    @Override
    public String toString() {
        return name + " " + version;
    }
}
