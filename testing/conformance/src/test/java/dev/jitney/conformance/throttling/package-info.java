/** Tests of throttling from the view of clients: semantics chapter 20. */
@NullMarked
package dev.jitney.conformance.throttling;

import org.jspecify.annotations.NullMarked;
