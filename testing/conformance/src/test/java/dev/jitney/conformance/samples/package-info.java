/** Tests that run the samples and the code of guides. */
@NullMarked
package dev.jitney.conformance.samples;

import org.jspecify.annotations.NullMarked;
