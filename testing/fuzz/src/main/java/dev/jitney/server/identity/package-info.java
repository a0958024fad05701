/** Access for the fuzzer to package-private classes of the identity provider. */
@NullMarked
package dev.jitney.server.identity;

import org.jspecify.annotations.NullMarked;
