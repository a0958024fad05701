/**
 * Reads every page of the project and does what it says: follows links, runs shell blocks against a server, parses
 * commands, reads data, and looks up code in programs that are compiled and run. The launchers are tested here too, since
 * they are the first thing that a page asks its reader to run.
 *
 * <p>Reading order: {@link dev.jitney.docs.Page} and {@link dev.jitney.docs.Block}, {@link dev.jitney.docs.PagesTest},
 * {@link dev.jitney.docs.ShellPagesTest} with {@link dev.jitney.docs.ShellCommands}, then the others.
 */
@NullMarked
package dev.jitney.docs;

import org.jspecify.annotations.NullMarked;
