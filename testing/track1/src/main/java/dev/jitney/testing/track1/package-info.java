/**
 * Checks with the management client of the track 1 SDK ({@code com.microsoft.azure:azure-servicebus}), as a program
 * with its own class path: {@link dev.jitney.testing.track1.Track1Checks} is the main class. Only the conformance tests
 * run it.
 */
@NullMarked
package dev.jitney.testing.track1;

import org.jspecify.annotations.NullMarked;
