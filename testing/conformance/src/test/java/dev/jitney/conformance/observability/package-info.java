/** Tests of metrics and log messages of a server in use. */
@NullMarked
package dev.jitney.conformance.observability;

import org.jspecify.annotations.NullMarked;
