/**
 * Export and import: {@link dev.jitney.cli.transfer.ExportCommand} writes entities and messages as JSON lines, {@link
 * dev.jitney.cli.transfer.ImportCommand} makes them again. A line tells by its {@code kind} what it is. Nothing is ever
 * held whole; a file may be larger than memory.
 */
@NullMarked
package dev.jitney.cli.transfer;

import org.jspecify.annotations.NullMarked;
