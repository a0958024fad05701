/** Throttling as clients see it: semantics chapter 20. */
@NullMarked
package dev.jitney.conformance.throttling;

import org.jspecify.annotations.NullMarked;
