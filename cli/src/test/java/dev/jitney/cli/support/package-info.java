/** A server in this process, the command line as a function, and a fake administration API. */
@NullMarked
package dev.jitney.cli.support;

import org.jspecify.annotations.NullMarked;
