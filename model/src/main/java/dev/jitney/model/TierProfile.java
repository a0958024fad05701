package dev.jitney.model;

/** Which limits and feature gates a namespace has (semantics 0.1, QUOTA). */
public enum TierProfile {
    BASIC,
    STANDARD,
    PREMIUM
}
