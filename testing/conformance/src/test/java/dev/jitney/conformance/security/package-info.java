/** Tests of authorization: shared access rules, tokens and their expiry. */
@NullMarked
package dev.jitney.conformance.security;

import org.jspecify.annotations.NullMarked;
