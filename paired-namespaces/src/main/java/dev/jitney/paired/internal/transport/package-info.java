/**
 * The port to the official SDK. Internal: not for applications, and not stable.
 *
 * <p>{@link dev.jitney.paired.internal.transport.NamespaceTransport} is the port, with a fake namespace in tests. {@link
 * dev.jitney.paired.internal.transport.SdkTransport} is the real implementation, and {@link
 * dev.jitney.paired.internal.transport.SdkSettings} are its settings. This package does not depend on pairing.
 */
@NullMarked
package dev.jitney.paired.internal.transport;

import org.jspecify.annotations.NullMarked;
