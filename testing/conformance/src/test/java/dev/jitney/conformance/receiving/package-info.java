/** Receiving and settling with real clients: semantics chapters 3 and 5, and what survives a restart. */
@NullMarked
package dev.jitney.conformance.receiving;

import org.jspecify.annotations.NullMarked;
