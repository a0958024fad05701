package dev.jitney.crash.support;

import java.util.ArrayList;
import java.util.List;

/**
 * The book of what clients may expect, whatever happens to the broker. Subclasses have the rules of one kind of traffic and
 * complain where one is broken; a test expects no complaints. Thread-safe by its monitor, as subclasses are.
 */
public abstract class CrashLedger {
    private static final int COMPLAINTS_MAX = 20;

    private final List<String> complaints = new ArrayList<>();

    /** Something that must not be; after the first ones it is not kept, because one fault causes many. */
    public final synchronized void complain(String what) {
        if (complaints.size() < COMPLAINTS_MAX) {
            complaints.add(what);
        }
    }

    /** Everything that must not be and was, so far. */
    public synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }
}
