/**
 * The identity of the server for TLS clients. {@link dev.jitney.server.tls.Tls} is the configured source, {@link
 * dev.jitney.server.tls.ServerIdentity} the resulting certificate and key, read from PEM files or created by the
 * server's own authority.
 */
@NullMarked
package dev.jitney.server.tls;

import org.jspecify.annotations.NullMarked;
