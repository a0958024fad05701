package dev.jitney.gateway.http.atom;

/** What an entry holds: one description. */
@FunctionalInterface
public interface AtomContent {

    /** Writes the description, an element and nothing around it. */
    void write(XmlWriter out);
}
