/** What operators see of a server in use: metrics and log lines. */
@NullMarked
package dev.jitney.conformance.observability;

import org.jspecify.annotations.NullMarked;
