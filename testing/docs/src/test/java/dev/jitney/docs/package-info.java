/**
 * Tests that read every page of the project: they follow links, run shell blocks with a server, parse commands, read
 * data, and search code in programs that are compiled and run. The launchers are tested here too, because pages start
 * with them.
 *
 * <p>Reading order: {@link dev.jitney.docs.Page} and {@link dev.jitney.docs.Block}, {@link dev.jitney.docs.PagesTest},
 * {@link dev.jitney.docs.ShellPagesTest} with {@link dev.jitney.docs.ShellCommands}, then the others.
 */
@NullMarked
package dev.jitney.docs;

import org.jspecify.annotations.NullMarked;
