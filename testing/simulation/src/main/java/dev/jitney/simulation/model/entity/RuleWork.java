package dev.jitney.simulation.model.entity;

/** A kind of change to a rule. */
public enum RuleWork {
    ADD,
    CHANGE,
    REMOVE
}
