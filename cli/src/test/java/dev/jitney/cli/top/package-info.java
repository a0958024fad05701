/** Tests of the package of the same name. */
@NullMarked
package dev.jitney.cli.top;

import org.jspecify.annotations.NullMarked;
