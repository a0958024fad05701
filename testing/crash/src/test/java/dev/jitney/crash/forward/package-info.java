/**
 * Servers that are killed while messages are forwarded over several stores. Read {@code Route} and {@code RouteLedger} first
 * (where a message may be), then {@code ForwardPlan}, {@code ForwardWorkload} and {@code ForwardKillTest}.
 */
@NullMarked
package dev.jitney.crash.forward;

import org.jspecify.annotations.NullMarked;
