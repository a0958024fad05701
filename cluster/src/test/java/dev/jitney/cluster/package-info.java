/**
 * Tests of the entries of a cluster. {@link dev.jitney.cluster.TestNodes} are several copies of a store in memory, with a log that a
 * test controls.
 */
@NullMarked
package dev.jitney.cluster;

import org.jspecify.annotations.NullMarked;
