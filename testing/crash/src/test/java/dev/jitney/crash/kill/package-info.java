/**
 * Tests that kill servers under the load of one kind of entity. In reading order: {@link dev.jitney.crash.kill.Ledger}
 * (the messages a client may expect), {@link dev.jitney.crash.kill.Workload}, {@link dev.jitney.crash.kill.KillTest},
 * then topics, sessions, transactions, duplicates, and changes of entities ({@code EntityKillTest}).
 */
@NullMarked
package dev.jitney.crash.kill;

import org.jspecify.annotations.NullMarked;
