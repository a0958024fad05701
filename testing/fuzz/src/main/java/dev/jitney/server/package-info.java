/** Access for the fuzzer to package-private classes of the server. */
@NullMarked
package dev.jitney.server;

import org.jspecify.annotations.NullMarked;
