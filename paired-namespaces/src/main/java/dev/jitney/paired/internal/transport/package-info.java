/**
 * The official SDK, seen from this library. Internal: not for applications, and not stable.
 *
 * <p>{@link dev.jitney.paired.internal.transport.NamespaceTransport} is the port; tests put a namespace in memory behind
 * it. {@link dev.jitney.paired.internal.transport.SdkTransport} is the real one, {@link
 * dev.jitney.paired.internal.transport.SdkSettings} says how to reach a namespace. Nothing here knows of pairing.
 */
@NullMarked
package dev.jitney.paired.internal.transport;

import org.jspecify.annotations.NullMarked;
