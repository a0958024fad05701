/** Tests of the dead-letter queue with real clients: semantics chapter 8 and scenario SCN-5. */
@NullMarked
package dev.jitney.conformance.deadletter;

import org.jspecify.annotations.NullMarked;
