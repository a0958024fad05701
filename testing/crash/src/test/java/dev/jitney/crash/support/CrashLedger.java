package dev.jitney.crash.support;

import java.util.ArrayList;
import java.util.List;

/**
 * A record of the results that clients may expect whatever happens to the broker. Subclasses contain the rules for one
 * kind of traffic and complain about violations. A test expects no complaints. Thread-safe by its monitor, like its
 * subclasses.
 */
public abstract class CrashLedger {
    private static final int COMPLAINTS_MAX = 20;

    private final List<String> complaints = new ArrayList<>();

    /** Records a violation. Only the first ones are kept, because one fault causes many. */
    public final synchronized void complain(String what) {
        if (complaints.size() < COMPLAINTS_MAX) {
            complaints.add(what);
        }
    }

    /** Returns all violations so far. */
    public synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }
}
