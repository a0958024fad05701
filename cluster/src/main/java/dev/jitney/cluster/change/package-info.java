/**
 * Changes of a whole data directory while its node does not run: a single node founds a cluster or a member becomes a single
 * node (CL-54), and a member continues without the others (CL-56).
 *
 * <p>Reading order: {@link dev.jitney.cluster.change.DirectoryChange} has the changes and their steps, {@link
 * dev.jitney.cluster.change.OtherNodes} checks that the others permit them, {@link
 * dev.jitney.cluster.change.EndOfLog} has the step that needs the log, and {@link dev.jitney.cluster.change.StoreKinds} changes the
 * stores.
 */
@NullMarked
package dev.jitney.cluster.change;

import org.jspecify.annotations.NullMarked;
