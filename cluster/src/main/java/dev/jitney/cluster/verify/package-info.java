/**
 * The comparison of all nodes' tables at one place in the log, while more entries are applied (CL-85).
 *
 * <p>Reading order: {@link dev.jitney.cluster.verify.ReplicaCheck} reads the tables of one node and computes their checksums,
 * {@link dev.jitney.cluster.verify.CheckReport} is its result. {@link dev.jitney.cluster.verify.ClusterVerification} runs on the
 * leader: it starts a check on every member, puts a mark in the log, and compares the reports. {@link
 * dev.jitney.cluster.verify.Verification} is its state.
 */
@NullMarked
package dev.jitney.cluster.verify;

import org.jspecify.annotations.NullMarked;
