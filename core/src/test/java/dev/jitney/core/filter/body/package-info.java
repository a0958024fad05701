/** Tests of the readers of bodies. */
@NullMarked
package dev.jitney.core.filter.body;

import org.jspecify.annotations.NullMarked;
