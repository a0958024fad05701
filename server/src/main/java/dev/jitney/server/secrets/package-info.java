/**
 * Secrets in files: {@link dev.jitney.server.secrets.Secrets} has the options, {@link dev.jitney.server.secrets.KeyFiles} the files that they and
 * the configuration name, {@link dev.jitney.server.secrets.SettledFile} reads a file
 * that another program may be writing, and {@link dev.jitney.server.secrets.KeyReload} gives access rules the new keys of changed files.
 */
@NullMarked
package dev.jitney.server.secrets;

import org.jspecify.annotations.NullMarked;
