package dev.jitney.cluster.ratis;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A listener that ignores all news. */
public class NoEvents implements RatisEvents {
    @Override
    public void leaderReady(long term) {}

    @Override
    public void notLeader() {}

    @Override
    public void leaderChanged() {}

    @Override
    public void fault(String what, Throwable cause) {}

    @Override
    public void beforeEnd() {}

    @Override
    public void ended() {}

    @Override
    public void mark(UUID id, long index) {}

    @Override
    public CompletableFuture<LogPoint> install(String leader, long firstIndex) {
        return new CompletableFuture<>();
    }
}
