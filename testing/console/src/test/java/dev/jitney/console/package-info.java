/**
 * The web console in a browser, against a server with messages of the official SDK.
 *
 * <p>{@link dev.jitney.console.ConsoleTest} starts the servers and makes the situations; the steps in the browser are in
 * {@code js/test}.
 */
@NullMarked
package dev.jitney.console;

import org.jspecify.annotations.NullMarked;
