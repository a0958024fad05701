package dev.jitney.model;

/** The tier of a namespace, which decides on its limits and features (semantics 0.1, QUOTA). */
public enum TierProfile {
    BASIC,
    STANDARD,
    PREMIUM
}
