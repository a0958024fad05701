/**
 * {@code /$stores}: what operators ask of the messaging stores, see {@link dev.jitney.gateway.http.stores.StoresHandler}.
 * Not of the service, which has no such thing; the name cannot be taken for an entity's by its clients, because they tell
 * an {@code api-version}.
 */
@NullMarked
package dev.jitney.gateway.http.stores;

import org.jspecify.annotations.NullMarked;
