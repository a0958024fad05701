/**
 * Pairs of servers of which one is killed, under senders of the library for paired namespaces. Read {@code PairedLedger} and
 * {@code PairedMessages} first, then {@code PairedKillTest}.
 */
@NullMarked
package dev.jitney.crash.paired;

import org.jspecify.annotations.NullMarked;
