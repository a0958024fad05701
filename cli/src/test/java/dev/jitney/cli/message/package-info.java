/** Tests of the package of the same name. */
@NullMarked
package dev.jitney.cli.message;

import org.jspecify.annotations.NullMarked;
