/**
 * The control of a broker by tests: a clock that tests move, a history of messages, resets and faults. A broker has it only if
 * {@link dev.jitney.runtime.BrokerOptions#underTest} is true. Read in this order: {@link dev.jitney.runtime.testing.BrokerTesting} has the
 * operations, {@link dev.jitney.runtime.testing.AdjustableClock} is the time of messages, and
 * {@link dev.jitney.runtime.testing.MessageHistory} keeps {@link dev.jitney.runtime.testing.MessageEvent}s.
 */
@NullMarked
package dev.jitney.runtime.testing;

import org.jspecify.annotations.NullMarked;
