/** Tests of the comparison's own parts, without another broker. */
@NullMarked
package dev.jitney.comparison;

import org.jspecify.annotations.NullMarked;
