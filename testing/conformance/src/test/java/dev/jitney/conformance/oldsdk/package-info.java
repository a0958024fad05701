/** Runs the checks of testing/oldsdk, which use a version of the Java SDK from 2021. */
@NullMarked
package dev.jitney.conformance.oldsdk;

import org.jspecify.annotations.NullMarked;
