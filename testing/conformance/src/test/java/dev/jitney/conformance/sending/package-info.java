/** Tests of sends with real clients (semantics chapters 2, 19 and 22), and of pings (18.4). */
@NullMarked
package dev.jitney.conformance.sending;

import org.jspecify.annotations.NullMarked;
