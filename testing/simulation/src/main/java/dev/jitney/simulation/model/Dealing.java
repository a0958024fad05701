package dev.jitney.simulation.model;

import java.util.ArrayList;
import java.util.List;

/** A transaction: what was done in it, and how it ends. */
public final class Dealing {
    final List<Request> parts = new ArrayList<>();

    /** Settlements that wait for the outcome. */
    final List<Request.Settle> settlements = new ArrayList<>();

    final List<Request.Send> sends = new ArrayList<>();
    private boolean committing;

    boolean isCommitting() {
        return committing;
    }

    /** The outcome is asked for. */
    public void commit() {
        committing = true;
    }
}
