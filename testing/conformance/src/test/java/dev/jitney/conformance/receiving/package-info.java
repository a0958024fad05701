/** Tests of receives and settlements with real clients, also after a restart: semantics chapters 3 and 5. */
@NullMarked
package dev.jitney.conformance.receiving;

import org.jspecify.annotations.NullMarked;
