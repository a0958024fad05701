/** Tests of duplicate detection with real clients: semantics chapter 14. */
@NullMarked
package dev.jitney.conformance.duplicates;

import org.jspecify.annotations.NullMarked;
