/**
 * {@code jitney syphon}: brings messages of paired namespaces home, on its own. What it does is in the library {@code
 * dev.jitney.paired}; here are its options and what it tells.
 */
@NullMarked
package dev.jitney.cli.syphon;

import org.jspecify.annotations.NullMarked;
