/**
 * Where the messaging stores of a data directory are, on one disk or on several: {@link dev.jitney.server.stores.StorePlaces}
 * is what the options ask for, {@link dev.jitney.server.stores.StoreSet} and {@link dev.jitney.server.stores.StoreIdentity}
 * are what the disks remember, {@link dev.jitney.server.stores.StoreDirectories} compares the two before anything is
 * opened, so that no store is ever taken for another or made anew because its disk is not there. One that is away does not
 * keep the others from being served: {@link dev.jitney.server.stores.CopiedStore} shows its entities until it is there.
 *
 * <p>For the start of the server, one thread, but for {@code CopiedStore}. Depends on the port of the stores in the runtime.
 */
@NullMarked
package dev.jitney.server.stores;

import org.jspecify.annotations.NullMarked;
