/** Semantics chapter 14: duplicate detection, as clients see it. */
@NullMarked
package dev.jitney.conformance.duplicates;

import org.jspecify.annotations.NullMarked;
