/** Access for the fuzzer to package-private classes of the archive. */
@NullMarked
package dev.jitney.server.archive;

import org.jspecify.annotations.NullMarked;
