/**
 * {@code /$namespaces}: what operators ask of the namespaces of the server, see
 * {@link dev.jitney.gateway.http.namespaces.NamespacesHandler}. Not of the service, whose namespaces are made elsewhere; no
 * entity can have the name, because it begins with a dollar sign.
 */
@NullMarked
package dev.jitney.gateway.http.namespaces;

import org.jspecify.annotations.NullMarked;
