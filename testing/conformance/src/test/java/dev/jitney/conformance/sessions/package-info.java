/** Tests of sessions with the Java SDK (semantics chapter 10): receivers of one session, and processors of many. */
@NullMarked
package dev.jitney.conformance.sessions;

import org.jspecify.annotations.NullMarked;
