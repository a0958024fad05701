package dev.jitney.core.filter;

import java.util.UUID;
import java.util.function.Supplier;

/**
 * What one evaluation of filters and actions is about.
 *
 * @param message the message judged
 * @param newIds gives a fresh GUID for every {@code newid()}; chance comes in from outside, like time
 */
public record Evaluation(MessageProperties message, Supplier<UUID> newIds) {}
