/**
 * Tests that kill, freeze and wipe the nodes of a cluster while clients use it. The clients and their ledgers are those of
 * {@code mixed}. Read {@code Balancer} first (the address of the clients), then {@code FailoverProbe}, {@code Incident} and
 * {@code ClusterKillTest}.
 */
@NullMarked
package dev.jitney.crash.cluster;

import org.jspecify.annotations.NullMarked;
