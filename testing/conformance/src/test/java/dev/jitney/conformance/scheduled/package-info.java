/** Tests of scheduled messages with real clients: semantics chapter 11. */
@NullMarked
package dev.jitney.conformance.scheduled;

import org.jspecify.annotations.NullMarked;
