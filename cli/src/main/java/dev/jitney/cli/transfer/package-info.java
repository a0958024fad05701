/**
 * Export and import: {@link dev.jitney.cli.transfer.ExportCommand} writes entities and messages as JSON lines, and {@link
 * dev.jitney.cli.transfer.ImportCommand} creates them again. The member {@code kind} of a line is its type. Both commands stream:
 * a file may be larger than memory.
 */
@NullMarked
package dev.jitney.cli.transfer;

import org.jspecify.annotations.NullMarked;
