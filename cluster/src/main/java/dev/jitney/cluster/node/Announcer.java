package dev.jitney.cluster.node;

import dev.jitney.cluster.member.ClusterMember;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the listener of a node, one call at a time, on a thread of its own. */
final class Announcer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
    private static final long CLOSE_TIMEOUT_S = 30;

    private final LeadershipListener listener;
    private final ExecutorService executor;

    Announcer(String node, LeadershipListener listener) {
        this.listener = listener;
        executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "cluster-leadership-" + node);
            thread.setDaemon(true);
            return thread;
        });
    }

    void leads(LeaderTerm term) {
        call(() -> listener.leads(term));
    }

    void leadsNoMore(long term, String reason) {
        call(() -> listener.leadsNoMore(term, reason));
    }

    void follows(@Nullable ClusterMember leader) {
        call(() -> listener.follows(leader));
    }

    private void call(Runnable news) {
        try {
            executor.execute(() -> {
                try {
                    news.run();
                } catch (RuntimeException e) {
                    LOG.error("The listener for changes of leadership failed.", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("A change of leadership is not reported, because the node is closed.");
        }
    }

    /** Waits for calls under way and for those that wait. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
                LOG.warn("The listener for changes of leadership did not return within {} s.", CLOSE_TIMEOUT_S);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
