/** Tests of a server with several messaging stores, and of clients when one store is unavailable (semantics chapter 17). */
@NullMarked
package dev.jitney.conformance.stores;

import org.jspecify.annotations.NullMarked;
