/**
 * The identity of the server for TLS clients. {@link dev.jitney.server.tls.Tls} is the configured source, {@link
 * dev.jitney.server.tls.ServerIdentity} the resulting certificate and key, read from PEM files or created by the
 * server's own authority. {@link dev.jitney.server.tls.PortTls} keeps them in use while the files change ({@link
 * dev.jitney.server.tls.Watched}, {@link dev.jitney.server.tls.CertificateWatch}).
 *
 * <p>For connections between the nodes of a cluster, {@link dev.jitney.server.tls.ClusterCertificates} is the configured source, {@link
 * dev.jitney.server.tls.ClusterIdentity} the result, and {@link dev.jitney.server.tls.ClusterAuthority} makes the files.
 */
@NullMarked
package dev.jitney.server.tls;

import org.jspecify.annotations.NullMarked;
