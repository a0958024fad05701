/** Who may do what: shared access rules, tokens and their end. */
@NullMarked
package dev.jitney.conformance.security;

import org.jspecify.annotations.NullMarked;
