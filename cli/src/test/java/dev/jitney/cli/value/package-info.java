/** Tests of the package of the same name. */
@NullMarked
package dev.jitney.cli.value;

import org.jspecify.annotations.NullMarked;
