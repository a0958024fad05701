package dev.jitney.server.doctor;

import java.util.Locale;

/** The importance of a {@link Finding}, the least first. */
public enum Level {
    /** Nothing to do. */
    OK,
    /** An improvement that is a matter of taste, or a check that could not be made. */
    ADVICE,
    /** A risk that should be removed before production. */
    WARNING,
    /** Something that is broken, or open to an attack now. */
    FAULT;

    /** Returns the word in reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
