/**
 * An election without the election timeout, when the process of the leader has ended.
 *
 * <p>Reading order: {@link dev.jitney.cluster.election.LeaderWatch} has the rules. {@link dev.jitney.cluster.election.Opinion} is
 * the answer of another member. {@link dev.jitney.cluster.election.OtherMembers} is its port to them, {@link
 * dev.jitney.cluster.election.Candidacy} its port to the consensus, and {@link
 * dev.jitney.cluster.election.RatisCandidacy} Ratis behind it.
 */
@NullMarked
package dev.jitney.cluster.election;

import org.jspecify.annotations.NullMarked;
