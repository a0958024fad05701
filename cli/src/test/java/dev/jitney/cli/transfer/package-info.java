/** Tests of the package of the same name. */
@NullMarked
package dev.jitney.cli.transfer;

import org.jspecify.annotations.NullMarked;
