/** Tests of the commands for access rules. */
@NullMarked
package dev.jitney.cli.access;

import org.jspecify.annotations.NullMarked;
