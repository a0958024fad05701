/**
 * Checks with an old version of the Java SDK, as a program with its own class path: {@link
 * dev.jitney.testing.oldsdk.OldSdkChecks} is the main class. Only the conformance tests run it.
 */
@NullMarked
package dev.jitney.testing.oldsdk;

import org.jspecify.annotations.NullMarked;
