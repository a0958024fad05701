/**
 * Histories of single entities: clients record when each operation began and ended, and a checker compares the record with the
 * sequential specification of a queue. In reading order: {@link dev.jitney.crash.history.Operation}, {@link
 * dev.jitney.crash.history.History}, {@link dev.jitney.crash.history.Linearization}, {@link
 * dev.jitney.crash.history.MessageState}, {@link dev.jitney.crash.history.HistoryChecker}, {@link
 * dev.jitney.crash.history.OrderChecker}, {@link dev.jitney.crash.history.ClusterHistoryTest}.
 */
@NullMarked
package dev.jitney.crash.history;

import org.jspecify.annotations.NullMarked;
