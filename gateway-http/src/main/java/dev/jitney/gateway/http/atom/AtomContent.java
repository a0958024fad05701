package dev.jitney.gateway.http.atom;

/** The content of an entry: one description. */
@FunctionalInterface
public interface AtomContent {

    /** Writes the element of the description. */
    void write(XmlWriter out);
}
