/**
 * Apache Ratis behind the ports of the cluster. Nothing else in Jitney depends on it.
 *
 * <p>Reading order: {@link dev.jitney.cluster.ratis.RatisServer} is the server of a node, {@link
 * dev.jitney.cluster.ratis.RatisSettings} has its settings, and {@link dev.jitney.cluster.ratis.MembersOnly} closes its port
 * to everyone but members. {@link dev.jitney.cluster.ratis.DurableAcknowledgments} holds back acknowledgments of entries that are not on
 * disk. {@link dev.jitney.cluster.ratis.StoresStateMachine} applies the log to the stores. {@link
 * dev.jitney.cluster.ratis.ReplayPoint} is where a restart begins, {@link dev.jitney.cluster.ratis.SafePoints} are the places
 * where it may, and {@link dev.jitney.cluster.ratis.LogFiles} decides which files of the log may go, also of a {@link
 * dev.jitney.cluster.ratis.ClosedLog}. {@link dev.jitney.cluster.ratis.SyncedMark} is what the log has certainly kept when the power
 * fails. {@link
 * dev.jitney.cluster.ratis.RatisAgreement} is the agreement of a leader for one term.
 */
@NullMarked
package dev.jitney.cluster.ratis;

import org.jspecify.annotations.NullMarked;
