/**
 * Checkpoints of the stores: on the leader they are made and read, on a follower they are fetched.
 *
 * <p>Reading order: {@link dev.jitney.cluster.checkpoint.CheckpointManifest} is the content of a checkpoint, {@link
 * dev.jitney.cluster.checkpoint.CheckpointFiles} gives access to its files, {@link
 * dev.jitney.cluster.checkpoint.CheckpointSource} is that on the node itself. {@link
 * dev.jitney.cluster.checkpoint.CheckpointFetcher} copies a checkpoint of another node.
 */
@NullMarked
package dev.jitney.cluster.checkpoint;

import org.jspecify.annotations.NullMarked;
