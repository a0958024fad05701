/**
 * Tests that kill one server of a pair while senders use the library for paired namespaces. Read {@code PairedLedger}
 * and {@code PairedMessages} first, then {@code PairedKillTest}.
 */
@NullMarked
package dev.jitney.crash.paired;

import org.jspecify.annotations.NullMarked;
