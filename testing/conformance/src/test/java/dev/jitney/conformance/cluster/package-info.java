/** Tests of the Java SDK over the loss of the leader of a cluster. */
@NullMarked
package dev.jitney.conformance.cluster;

import org.jspecify.annotations.NullMarked;
