/**
 * Tests that kill servers while they archive their commits, and then restore backups to chosen times. {@code StampedSending} is a
 * ledger of sends with their times, {@code ArchiveKillTest} compares restored servers with it, and {@code FullArchiveTest} fills the
 * disk of an archive. {@code ClusterBackupTest} makes a backup of a cluster, and founds another cluster with it.
 */
@NullMarked
package dev.jitney.crash.archive;

import org.jspecify.annotations.NullMarked;
