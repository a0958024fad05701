package dev.jitney.model.property;

/**
 * The type of a property's value, with the Java class of the value in parentheses. Rows, Atom elements and the
 * configuration file have one switch over these types each.
 */
public enum PropertyType {
    /** True or false ({@link Boolean}). */
    FLAG("true or false"),
    /** Milliseconds ({@link Long}); an ISO 8601 duration in APIs and files. */
    DURATION("duration"),
    /** Milliseconds ({@link Long}) of a duration that must not be longer than the largest .NET time span. */
    TIME_TO_LIVE("duration"),
    /** A number of 32 bits ({@link Integer}). */
    COUNT("number"),
    /** Size of an entity ({@link Long}); clients see the sum of all fragments (PART-18). */
    MEGABYTES("number"),
    /** Size of a message ({@link Long}), or null for the default of the tier. */
    KILOBYTES("number"),
    /** Free text ({@link String}), or null. */
    TEXT("text"),
    /** Another entity ({@link String}), a path or an absolute URL, or null. */
    DESTINATION("entity"),
    /** {@link dev.jitney.model.EntityStatus}. */
    STATUS("status"),
    /** A {@link java.util.List} of {@link dev.jitney.model.AccessRule}. */
    ACCESS_RULES("rules");

    private final String word;

    PropertyType(String word) {
        this.word = word;
    }

    /** Returns the name of the type on the reference page. */
    public String word() {
        return word;
    }
}
