/** Tests of the package of the same name. */
@NullMarked
package dev.jitney.cli.output;

import org.jspecify.annotations.NullMarked;
