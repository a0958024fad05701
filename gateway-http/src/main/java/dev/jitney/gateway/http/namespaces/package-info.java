/**
 * {@code /$namespaces}: the administration of the server's namespaces, see {@link
 * dev.jitney.gateway.http.namespaces.NamespacesHandler}. The service has no such API, because its namespaces are
 * created elsewhere. No entity can have the name, because it begins with a dollar sign.
 */
@NullMarked
package dev.jitney.gateway.http.namespaces;

import org.jspecify.annotations.NullMarked;
