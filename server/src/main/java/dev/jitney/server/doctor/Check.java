package dev.jitney.server.doctor;

import java.io.IOException;

/**
 * One check of an installation. It changes nothing, opens no store, and sends no secrets. It runs on a thread of its own that is
 * interrupted at the end of its time.
 */
public interface Check {
    /** Returns the name of the check in reports and in the hardening page: a word in lower case. */
    String name();

    /**
     * Makes the check. A check without a problem adds one {@linkplain Findings#ok finding that says so}.
     *
     * @throws IOException if something could not be read; the report says so
     * @throws InterruptedException at the end of its time
     */
    void run(Installation of, Findings to) throws IOException, InterruptedException;
}
