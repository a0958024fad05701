/** Tests of peek-locks and prefetch with real clients: semantics chapter 4. */
@NullMarked
package dev.jitney.conformance.locks;

import org.jspecify.annotations.NullMarked;
