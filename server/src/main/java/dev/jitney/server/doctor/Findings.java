package dev.jitney.server.doctor;

import java.util.ArrayList;
import java.util.List;

/** Collects the findings of one check. Thread-safe, because a check that takes too long may still add some. */
public final class Findings {
    /** The maximum of findings of one check. Further ones are counted. */
    static final int MAX = 20;

    private final String check;
    private final List<Finding> all = new ArrayList<>();
    private int leftOut;

    /** @param check the name of the check */
    public Findings(String check) {
        this.check = check;
    }

    /** Adds a finding that needs no action. */
    public void ok(String reason) {
        add(new Finding(Level.OK, check, reason, ""));
    }

    public void advice(String reason, String fix) {
        add(new Finding(Level.ADVICE, check, reason, fix));
    }

    public void warning(String reason, String fix) {
        add(new Finding(Level.WARNING, check, reason, fix));
    }

    public void fault(String reason, String fix) {
        add(new Finding(Level.FAULT, check, reason, fix));
    }

    private synchronized void add(Finding finding) {
        if (all.size() < MAX) {
            all.add(finding);
        } else {
            leftOut++;
        }
    }

    /** Returns whether nothing was found that needs attention. */
    public synchronized boolean isClean() {
        return all.stream().allMatch(finding -> finding.level() == Level.OK);
    }

    /** Returns the findings in their order. */
    public synchronized List<Finding> all() {
        List<Finding> found = new ArrayList<>(all);
        if (leftOut > 0) {
            found.add(new Finding(
                    Level.ADVICE,
                    check,
                    "There are " + leftOut + " further findings of this check.",
                    "Fix the listed ones, and run this command again."));
        }
        return found;
    }
}
