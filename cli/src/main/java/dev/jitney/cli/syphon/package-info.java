/**
 * {@code jitney syphon}: the syphon of paired namespaces as a separate process. The library {@code dev.jitney.paired} does the
 * work; this package has the options and the output.
 */
@NullMarked
package dev.jitney.cli.syphon;

import org.jspecify.annotations.NullMarked;
