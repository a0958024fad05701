/** Several messaging stores in one server, and what clients notice when one of them goes away (semantics chapter 17). */
@NullMarked
package dev.jitney.conformance.stores;

import org.jspecify.annotations.NullMarked;
