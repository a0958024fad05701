/**
 * Backups of the whole server ([ADR 40](docs/adr/0040-backups.md)). {@code BackupRequests} serves the requests, {@link
 * dev.jitney.gateway.http.operator.backup.BackupService} is the port to the server that makes them, and {@link
 * dev.jitney.gateway.http.operator.backup.BackupView} describes one of them.
 */
@NullMarked
package dev.jitney.gateway.http.operator.backup;

import org.jspecify.annotations.NullMarked;
