/** Tests of the package of the same name. */
@NullMarked
package dev.jitney.cli.connection;

import org.jspecify.annotations.NullMarked;
