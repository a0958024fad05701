/** Tests of batch deletes with a raw client, because no released Java SDK supports them: semantics chapter 23. */
@NullMarked
package dev.jitney.conformance.purge;

import org.jspecify.annotations.NullMarked;
