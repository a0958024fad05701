/**
 * Tests that kill servers while clients of the official SDK use all features at once. Read {@code MixedLedger} first
 * (the messages that clients with retries may expect), then {@code MixedPlan}, {@code MixedClients} and {@code
 * MixedKillTest}.
 */
@NullMarked
package dev.jitney.crash.mixed;

import org.jspecify.annotations.NullMarked;
