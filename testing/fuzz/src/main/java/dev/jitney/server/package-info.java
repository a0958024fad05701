/** The door to what the server shows its own package only. */
@NullMarked
package dev.jitney.server;

import org.jspecify.annotations.NullMarked;
