/** Tests of the package of the same name. */
@NullMarked
package dev.jitney.cli.entity;

import org.jspecify.annotations.NullMarked;
