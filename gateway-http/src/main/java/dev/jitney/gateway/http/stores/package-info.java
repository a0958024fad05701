/**
 * {@code /$stores}: the administration of the messaging stores, see {@link
 * dev.jitney.gateway.http.stores.StoresHandler}. The service has no such API. Its clients never mean these pages when
 * they access an entity of that name, because they send an {@code api-version}.
 */
@NullMarked
package dev.jitney.gateway.http.stores;

import org.jspecify.annotations.NullMarked;
