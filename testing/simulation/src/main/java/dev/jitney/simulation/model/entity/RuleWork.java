package dev.jitney.simulation.model.entity;

/** A kind of change of a rule. */
public enum RuleWork {
    ADD,
    CHANGE,
    REMOVE
}
