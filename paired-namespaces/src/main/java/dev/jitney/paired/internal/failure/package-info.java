/**
 * Reads the failures of the SDK ({@link dev.jitney.paired.internal.failure.Failures}) and hands them to callers without their
 * wrappings ({@link dev.jitney.paired.internal.failure.Results}).
 */
@NullMarked
package dev.jitney.paired.internal.failure;

import org.jspecify.annotations.NullMarked;
