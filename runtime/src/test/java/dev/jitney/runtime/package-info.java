/** Tests of the runtime's public interface. */
@NullMarked
package dev.jitney.runtime;

import org.jspecify.annotations.NullMarked;
