/** Access for the fuzzer to the package-private check of tokens, without a namespace. */
@NullMarked
package dev.jitney.runtime.security;

import org.jspecify.annotations.NullMarked;
