/**
 * Checks made with an old version of the Java SDK, as a program with a class path of its own:
 * {@link dev.jitney.testing.oldsdk.OldSdkChecks} is the entry point. Only the conformance tests run it.
 */
@NullMarked
package dev.jitney.testing.oldsdk;

import org.jspecify.annotations.NullMarked;
