/**
 * The real server as a process of its own: started, watched, killed, with what it cost. It is known by its command line
 * and by what it prints; nothing of its code is called.
 *
 * <p>Who may depend on it: modules under {@code testing/}.
 */
@NullMarked
package dev.jitney.testing.process;

import org.jspecify.annotations.NullMarked;
