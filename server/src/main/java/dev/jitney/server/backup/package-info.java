/**
 * Backups of the messaging stores of a server, and data directories that are made of them ([ADR 40](docs/adr/0040-backups.md)).
 *
 * <p>In reading order: {@code BackupSource} is a set of open stores, each of which has a {@code StoreCopy}: {@code
 * SingleNodeCopy} or, on the leader of a cluster, {@code ReplicaCopy}. {@code BackupRun} copies them as of one moment into a {@code
 * BackupDirectory}, with {@code ContentFiles} for the files that several backups share, and writes a {@code Manifest}. {@code
 * Backups} runs one of them at a time for a server. {@code BackupCheck} verifies a directory, and {@code RestoreRun} makes a data
 * directory of a backup, with a {@code Selection} of entities. {@code BackupArchive} finds the commits of an archive behind a backup.
 * {@code BackupFigures} are numbers for metrics. {@code Pace} limits the bytes in a second.
 *
 * <p>The server and its commands use it.
 */
@NullMarked
package dev.jitney.server.backup;

import org.jspecify.annotations.NullMarked;
