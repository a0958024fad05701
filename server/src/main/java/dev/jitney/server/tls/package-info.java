/**
 * Who the server is towards TLS clients: {@link dev.jitney.server.tls.Tls} is what the operator asked for,
 * {@link dev.jitney.server.tls.ServerIdentity} the certificate and key that come of it, read from PEM files or made by
 * an authority of the server's own.
 */
@NullMarked
package dev.jitney.server.tls;

import org.jspecify.annotations.NullMarked;
