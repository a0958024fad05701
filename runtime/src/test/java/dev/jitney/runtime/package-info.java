/** Tests of the public face. */
@NullMarked
package dev.jitney.runtime;

import org.jspecify.annotations.NullMarked;
