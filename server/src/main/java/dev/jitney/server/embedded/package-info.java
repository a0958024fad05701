/**
 * A server that a program starts through a class loader of its own, with types of the JDK only: the test kit does so.
 *
 * <p>Read in this order: {@link dev.jitney.server.embedded.EmbeddedServer}, {@code EmbeddedLog}.
 */
@NullMarked
package dev.jitney.server.embedded;

import org.jspecify.annotations.NullMarked;
