/** A server in this process, the command line as a function, and an administration API made of a map. */
@NullMarked
package dev.jitney.cli.support;

import org.jspecify.annotations.NullMarked;
