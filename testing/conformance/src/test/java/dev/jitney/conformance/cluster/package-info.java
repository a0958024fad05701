/** Official SDKs with several nodes, of which one leads. */
@NullMarked
package dev.jitney.conformance.cluster;

import org.jspecify.annotations.NullMarked;
