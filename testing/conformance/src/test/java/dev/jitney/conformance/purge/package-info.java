/** Batch delete: semantics chapter 23; no released SDK for Java has it, so a raw client asks. */
@NullMarked
package dev.jitney.conformance.purge;

import org.jspecify.annotations.NullMarked;
