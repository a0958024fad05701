/**
 * The commands {@code jitney backup}. {@code BackupCommands} lists them. They work on files, with {@code dev.jitney.server.backup},
 * except that {@code CreateCommand} and {@code ListCommand} may use a running server: {@code OperatorClient} sends requests to its
 * operator API, with the {@code ServerAddress} of {@code ServerChoice}. They need no SDK. {@code Words} has the texts that several of them
 * print.
 */
@NullMarked
package dev.jitney.server.cli.backup;

import org.jspecify.annotations.NullMarked;
