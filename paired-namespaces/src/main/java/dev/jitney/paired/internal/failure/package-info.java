/**
 * The failures of the SDK: classification ({@link dev.jitney.paired.internal.failure.Failures}) and delivery to callers without
 * wrappers ({@link dev.jitney.paired.internal.failure.Results}).
 */
@NullMarked
package dev.jitney.paired.internal.failure;

import org.jspecify.annotations.NullMarked;
