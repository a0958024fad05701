/**
 * Tests that kill servers while messages are forwarded over several stores. Read {@code Route} and {@code RouteLedger}
 * first (the places of messages), then {@code ForwardPlan}, {@code ForwardWorkload} and {@code ForwardKillTest}.
 */
@NullMarked
package dev.jitney.crash.forward;

import org.jspecify.annotations.NullMarked;
