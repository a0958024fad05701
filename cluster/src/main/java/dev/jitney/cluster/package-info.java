/**
 * A messaging store that several nodes agree on. The leader decides as a single node does; each commit of a shard becomes
 * entries of one replicated log, and every node applies the rows of agreed entries to its own copy of the store.
 *
 * <p>Reading order: {@link dev.jitney.cluster.Entry} is the format of an entry, {@link dev.jitney.cluster.EntryParts} joins
 * the parts of a large one. {@link dev.jitney.cluster.StoreReplica} decides which entries take effect on a node. {@link
 * dev.jitney.cluster.Agreement} is the port to the consensus, and {@link dev.jitney.cluster.ReplicatedStore} is the store of a
 * shard on the leader.
 *
 * <p>The package depends on the store port of the runtime only.
 */
@NullMarked
package dev.jitney.cluster;

import org.jspecify.annotations.NullMarked;
