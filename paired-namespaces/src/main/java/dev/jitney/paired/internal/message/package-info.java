/**
 * Changes of a message on its way through a backlog queue. Internal: not for applications, and not stable.
 *
 * <p>{@link dev.jitney.paired.internal.message.MessageCopy} copies, {@link
 * dev.jitney.paired.internal.message.DivertedMessages} alters and restores (PAIR-38 to PAIR-51), and {@link
 * dev.jitney.paired.internal.message.Pings} creates pings (PAIR-32). They are pure functions over the SDK's message.
 */
@NullMarked
package dev.jitney.paired.internal.message;

import org.jspecify.annotations.NullMarked;
