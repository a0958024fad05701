/**
 * The notes that operators write on groups of dead letters: {@link dev.jitney.gateway.http.operator.note.GroupNotes} reads and writes them,
 * {@link dev.jitney.gateway.http.operator.note.NoteRequests} are the requests.
 */
@NullMarked
package dev.jitney.gateway.http.operator.note;

import org.jspecify.annotations.NullMarked;
