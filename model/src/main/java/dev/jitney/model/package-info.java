/**
 * The types that every part of Jitney shares: entity addresses and descriptions, the view of a message, limits and the
 * catalog of errors.
 *
 * <p>Read in this order: {@link dev.jitney.model.EntityAddress}, {@link dev.jitney.model.QueueDescription},
 * {@link dev.jitney.model.MessageContent}, {@link dev.jitney.model.MessageView}, {@link dev.jitney.model.ErrorCode}.
 * The package depends on the JDK only; every other module may depend on it.
 */
@NullMarked
package dev.jitney.model;

import org.jspecify.annotations.NullMarked;
