/**
 * The log of the server on standard error. Read {@link dev.jitney.server.cli.log.LogSetup} first, then {@code JsonLogEncoder} (lines for
 * programs), {@code MessageConverter}, {@code FieldsConverter} and {@code TraceConverter} (the parts of lines for people), {@code
 * InertCharacters} (text from clients) and {@code FloodFilter} (the limit of similar lines).
 */
@NullMarked
package dev.jitney.server.cli.log;

import org.jspecify.annotations.NullMarked;
