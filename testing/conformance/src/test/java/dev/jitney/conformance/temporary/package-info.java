/** Tests of entities that are deleted when idle, with real clients: semantics chapter 7 and scenario SCN-13. */
@NullMarked
package dev.jitney.conformance.temporary;

import org.jspecify.annotations.NullMarked;
