/** Tests of deferred messages with real clients: semantics chapter 12. */
@NullMarked
package dev.jitney.conformance.deferral;

import org.jspecify.annotations.NullMarked;
