/**
 * The archive of commits: with it, a backup is restored to a later moment ([ADR 44](docs/adr/0044-archive-of-commits.md)).
 *
 * <p>In reading order: {@code ArchiveOptions} are the settings. {@code Archiver} copies the commits of all stores of a server into
 * one sequence of files, with the moments at which all stores stand between two commits. {@code ArchiveFormat} is the format,
 * {@code ArchiveHeader} the start of a file. {@code ArchiveFileWriter} and {@code ArchiveFileReader} write and read a file. {@code
 * ArchiveFile} describes one, and {@code ArchiveDirectory} finds all of them. {@code Timeline} orders them into runs without gaps, and
 * finds the {@code ArchiveTarget} of a restore. {@code ArchiveFigures} are numbers for metrics.
 *
 * <p>The server, its backups and its commands use it.
 */
@NullMarked
package dev.jitney.server.archive;

import org.jspecify.annotations.NullMarked;
