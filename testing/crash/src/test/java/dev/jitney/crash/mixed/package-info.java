/**
 * Servers that are killed under clients of the official SDK that do everything at once. Read {@code MixedLedger} first (what a
 * client may expect whose SDK tries again by itself), then {@code MixedPlan}, {@code MixedClients} and {@code MixedKillTest}.
 */
@NullMarked
package dev.jitney.crash.mixed;

import org.jspecify.annotations.NullMarked;
