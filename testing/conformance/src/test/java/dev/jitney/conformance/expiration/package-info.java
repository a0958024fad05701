/** Tests of times to live with real clients: semantics chapter 6 and scenarios SCN-1, SCN-2 and SCN-4. */
@NullMarked
package dev.jitney.conformance.expiration;

import org.jspecify.annotations.NullMarked;
