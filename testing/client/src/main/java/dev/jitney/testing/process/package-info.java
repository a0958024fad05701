/**
 * The real server as a separate process: started, watched, killed, with its resource use. Only its command line and its output
 * are used, none of its code.
 *
 * <p>Only modules under {@code testing/} may depend on it.
 */
@NullMarked
package dev.jitney.testing.process;

import org.jspecify.annotations.NullMarked;
