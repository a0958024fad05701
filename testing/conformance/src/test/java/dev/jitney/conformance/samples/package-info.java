/** The first message of the README, compiled and run. */
@NullMarked
package dev.jitney.conformance.samples;

import org.jspecify.annotations.NullMarked;
