/**
 * What happens to a message on its way through a backlog queue. Internal: not for applications, and not stable.
 *
 * <p>{@link dev.jitney.paired.internal.message.MessageCopy} clones, {@link
 * dev.jitney.paired.internal.message.DivertedMessages} alters and restores (PAIR-38 to PAIR-51), {@link
 * dev.jitney.paired.internal.message.Pings} makes pings (PAIR-32). Plain functions over the SDK's message.
 */
@NullMarked
package dev.jitney.paired.internal.message;

import org.jspecify.annotations.NullMarked;
