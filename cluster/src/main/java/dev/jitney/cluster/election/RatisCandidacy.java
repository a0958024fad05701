package dev.jitney.cluster.election;

import dev.jitney.cluster.ratis.ConsensusState;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.cluster.ratis.RatisServer;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The consensus of this node, for a {@link LeaderWatch}. */
public final class RatisCandidacy implements Candidacy {
    private final Supplier<String> self;
    private final Supplier<@Nullable RatisServer> server;
    private final BooleanSupplier mayLead;

    /**
     * @param self    returns the identity of this node
     * @param server  returns the current server, or null while this node takes no part
     * @param mayLead whether nothing is known that keeps this node from leading
     */
    public RatisCandidacy(Supplier<String> self, Supplier<@Nullable RatisServer> server, BooleanSupplier mayLead) {
        this.self = self;
        this.server = server;
        this.mayLead = mayLead;
    }

    @Override
    public @Nullable View view() {
        RatisServer current = server.get();
        ConsensusState state = current == null ? null : current.state();
        return state == null
                ? null
                : new View(
                        self.get(),
                        state.leader(),
                        state.term(),
                        state.members().stream().map(RaftMember::identity).toList());
    }

    @Override
    public Opinion opinion(boolean ended) {
        RatisServer current = server.get();
        LogPoint last = current == null ? LogPoint.START : current.lastEntry();
        return new Opinion(ended, last.term(), last.index());
    }

    @Override
    public boolean replace(String leader) throws IOException {
        RatisServer current = server.get();
        return current != null && mayLead.getAsBoolean() && current.replace(leader);
    }
}
