/** Tests of peeks with real clients: semantics chapter 13. */
@NullMarked
package dev.jitney.conformance.peek;

import org.jspecify.annotations.NullMarked;
