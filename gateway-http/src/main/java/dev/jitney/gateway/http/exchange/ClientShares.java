package dev.jitney.gateway.http.exchange;

import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.AddressGroup;
import dev.jitney.runtime.security.Grant;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The shares of clients in the places of a limit, so that no client can keep the others out (QUOTA-8). A client that holds less than an
 * equal share of the limit displaces a place of the client that holds most; a client that is alone may have all places. For one event
 * loop; any thread may call {@link #size}.
 *
 * @param <T> the holder of a place, such as a connection
 */
public final class ClientShares<T> {
    private final Map<Client, Set<T>> places = new HashMap<>();
    private final Map<T, Client> clients = new HashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    /**
     * The requests that count together: those of one address with credentials of one access rule or identity. Clients behind a proxy may
     * have the same address, and clients of a service the same rule.
     *
     * @param address null if it is not known
     * @param namespace the name of the namespace of the rule, or empty without a credential
     * @param holder the rule or the identity, or empty without a credential
     */
    public record Client(@Nullable AddressGroup address, String namespace, String holder) {
        static final Client UNKNOWN = at(null);

        /** Returns the client of an address without a credential. */
        static Client at(@Nullable InetAddress address) {
            return new Client(address == null ? null : AddressGroup.of(address), "", "");
        }

        /** Returns the client of the same address with an accepted credential. */
        Client with(Namespace of, Grant grant) {
            return new Client(address, of.name(), grant.holder());
        }
    }

    /** Adds a place, after all others of its client. If the holder has one, it is replaced. */
    public void add(T holder, Client client) {
        remove(holder);
        clients.put(holder, client);
        places.computeIfAbsent(client, first -> new LinkedHashSet<>()).add(holder);
        size.incrementAndGet();
    }

    /** Removes the place of a holder, if it has one. */
    public void remove(T holder) {
        Client client = clients.remove(holder);
        Set<T> own = client == null ? null : places.get(client);
        if (own != null) {
            own.remove(holder);
            size.decrementAndGet();
            if (own.isEmpty()) {
                places.remove(client);
            }
        }
    }

    /** Returns the number of places that are held. */
    public int size() {
        return size.get();
    }

    /** Returns whether a holder has a place. */
    boolean contains(T holder) {
        return clients.containsKey(holder);
    }

    /**
     * Removes a place for one more of a client: the oldest of the client that holds most. Returns its holder, or null if the client would
     * have more than an equal share, or if no other client has more than it.
     *
     * @param limit the places of all clients together
     * @param yields selects the holders whose place can be removed
     */
    public @Nullable T displace(Client client, int limit, Predicate<T> yields) {
        Set<T> own = places.get(client);
        int wanted = (own == null ? 0 : own.size()) + 1;
        int sharers = places.size() + (own == null ? 1 : 0);
        if (wanted > limit / sharers) {
            return null;
        }
        int most = wanted;
        T displaced = null;
        for (Set<T> share : places.values()) {
            T oldest = share.size() > most ? first(share, yields) : null;
            if (oldest != null) {
                most = share.size();
                displaced = oldest;
            }
        }
        if (displaced != null) {
            remove(displaced);
        }
        return displaced;
    }

    private static <T> @Nullable T first(Set<T> share, Predicate<T> yields) {
        for (T holder : share) {
            if (yields.test(holder)) {
                return holder;
            }
        }
        return null;
    }
}
