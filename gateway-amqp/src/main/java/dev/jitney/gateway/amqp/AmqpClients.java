package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.GatewaySocket;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClient;
import dev.jitney.runtime.client.ConnectedClients;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The clients of the gateway. Each event loop looks at its own connections, some at a time. Any thread may call it. */
final class AmqpClients implements ConnectedClients {
    /** The connections that one turn of an event loop looks at. */
    private static final int SLICE = 200;

    private static final Comparator<ConnectedClient> BY_NUMBER = Comparator.comparingLong(ConnectedClient::number);

    private final GatewayContext context;

    AmqpClients(GatewayContext context) {
        this.context = context;
    }

    @Override
    public int connections(Namespace namespace) {
        return context.meter().connections(namespace.name());
    }

    @Override
    public CompletionStage<List<ConnectedClient>> of(Entity entity, EntityAddress address, long after, int max) {
        Map<Executor, List<GatewaySocket>> byLoop = new IdentityHashMap<>();
        for (GatewaySocket socket : context.sockets()) {
            byLoop.computeIfAbsent(socket.executor(), loop -> new ArrayList<>()).add(socket);
        }
        CompletableFuture<List<ConnectedClient>> all = CompletableFuture.completedFuture(List.of());
        for (Map.Entry<Executor, List<GatewaySocket>> loop : byLoop.entrySet()) {
            Walk walk = new Walk(loop.getKey(), loop.getValue(), entity, address, after, max);
            walk.proceed();
            all = all.thenCombine(walk.found, (some, more) -> first(max, some, more));
        }
        return all;
    }

    private static List<ConnectedClient> first(int max, List<ConnectedClient> some, List<ConnectedClient> more) {
        List<ConnectedClient> joined = new ArrayList<>(some);
        joined.addAll(more);
        joined.sort(BY_NUMBER);
        return joined.size() > max ? List.copyOf(joined.subList(0, max)) : joined;
    }

    /** A walk over the connections of one event loop. It keeps those with the smallest numbers. */
    private static final class Walk {
        private final CompletableFuture<List<ConnectedClient>> found = new CompletableFuture<>();
        private final PriorityQueue<ConnectedClient> kept = new PriorityQueue<>(BY_NUMBER.reversed());
        private final Executor loop;
        private final List<GatewaySocket> sockets;
        private final Entity entity;
        private final EntityAddress address;
        private final long after;
        private final int max;
        private int next;

        Walk(Executor loop, List<GatewaySocket> sockets, Entity entity, EntityAddress address, long after, int max) {
            this.loop = loop;
            this.sockets = sockets;
            this.entity = entity;
            this.address = address;
            this.after = after;
            this.max = max;
        }

        void proceed() {
            try {
                loop.execute(this::slice);
            } catch (RejectedExecutionException ended) { // the event loops are shutting down
                found.complete(List.of());
            }
        }

        private void slice() {
            try {
                for (int end = Math.min(next + SLICE, sockets.size()); next < end; next++) {
                    look(sockets.get(next));
                }
            } catch (RuntimeException e) {
                found.completeExceptionally(e);
                return;
            }
            if (next < sockets.size()) {
                proceed();
            } else {
                found.complete(List.copyOf(kept));
            }
        }

        private void look(GatewaySocket socket) {
            long number = socket.connectionNumber();
            boolean full = kept.size() == max;
            if (number <= after || full && number > kept.element().number()) {
                return;
            }
            ConnectedClient client = socket.describe(entity, address);
            if (client != null) {
                if (full) {
                    kept.remove();
                }
                kept.add(client);
            }
        }
    }
}
