/**
 * Tests of official SDKs over a change of the leader of a cluster. Start with
 * {@link dev.jitney.conformance.cluster.JavaSdkFailoverTest}.
 */
@NullMarked
package dev.jitney.conformance.cluster;

import org.jspecify.annotations.NullMarked;
