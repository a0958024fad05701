package dev.jitney.cluster.node;

import dev.jitney.cluster.checkpoint.CheckpointFiles;
import dev.jitney.cluster.checkpoint.CheckpointManifest;
import dev.jitney.cluster.election.Opinion;
import dev.jitney.cluster.member.Joining;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.member.NodeLevels;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.member.NodeText;
import dev.jitney.cluster.verify.CheckReport;
import dev.jitney.runtime.store.FormatLevels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers the requests of other members that arrive at the node port. Any thread may call it, several at a time. */
final class NodeAnswers {
    static final String CHECKPOINT = "checkpoint";
    static final String CHECKSUM = "checksum";
    static final String READ = "read";
    static final String RELEASE = "release";
    static final String VERIFY = "verify-begin";
    static final String VERIFIED = "verify-report";
    static final String LEADER = "leader";

    /** A part of the refusal of nodes of other clusters. */
    static final String OTHER_CLUSTER = ", but it belongs to cluster ";

    private static final byte[] NOTHING = {};

    private final Supplier<NodeHello> self;
    private final Joining joining;
    private final CheckpointFiles checkpoints;
    private final Checks checks;
    private final Leaders leaders;
    private final LevelCheck levelCheck;

    /** Takes a node in. */
    @FunctionalInterface
    interface Joining {
        void join(NodeHello hello) throws IOException;
    }

    /** Computes checksums of the tables of this node (CL-85). */
    interface Checks {
        CheckReport begin(UUID id) throws IOException;

        CheckReport report(UUID id, long index) throws IOException;
    }

    /** Knows whether the process of a leader has ended. */
    @FunctionalInterface
    interface Leaders {
        Opinion opinion(String leader, long term);
    }

    /** Checks that another node may get data of this cluster (CL-61). */
    @FunctionalInterface
    interface LevelCheck {
        void requireSupportedBy(FormatLevels supported) throws IOException;
    }

    NodeAnswers(
            Supplier<NodeHello> self,
            Joining joining,
            CheckpointFiles checkpoints,
            Checks checks,
            Leaders leaders,
            LevelCheck levelCheck) {
        this.levelCheck = levelCheck;
        this.checks = checks;
        this.leaders = leaders;
        this.self = self;
        this.joining = joining;
        this.checkpoints = checkpoints;
    }

    byte[] answer(String request, byte[] body) throws IOException {
        switch (request) {
            case NodeLink.HELLO:
                requireSame(NodeHello.parse(body).cluster());
                return self.get().bytes();
            case NodeLink.JOIN:
                NodeHello hello = NodeHello.parse(body);
                requireSame(hello.cluster());
                joining.join(hello);
                return NOTHING;
            default:
                return ofMember(request, NodeText.parse(body));
        }
    }

    /** Answers a request that only members of this cluster may send. */
    private byte[] ofMember(String request, NodeText text) throws IOException {
        UUID cluster = Membership.uuid(text.get("cluster"));
        if (cluster == null || !cluster.equals(self.get().cluster())) {
            throw new IOException("Expected a member of this cluster.");
        }
        switch (request) {
            case CHECKPOINT:
                return checkpoint(NodeLevels.supported(text)).text().getBytes(StandardCharsets.UTF_8);
            case CHECKSUM:
                int checksum =
                        checkpoints.checksum(text.get("checkpoint"), text.smallNumber("store"), text.get("file"));
                return ByteBuffer.allocate(Integer.BYTES).putInt(checksum).array();
            case READ:
                return checkpoints.read(
                        text.get("checkpoint"),
                        text.smallNumber("store"),
                        text.get("file"),
                        text.number("offset"),
                        text.smallNumber("length"));
            case VERIFY:
                return checks.begin(mark(text)).encoded();
            case VERIFIED:
                return checks.report(mark(text), text.number("index")).encoded();
            case LEADER:
                return leaders.opinion(text.get("leader"), text.number("term")).bytes();
            case RELEASE:
                checkpoints.release(text.get("checkpoint"));
                return NOTHING;
            default:
                throw new IOException(
                        "Expected a request between nodes, but got something else. Run the same release on"
                                + " all nodes.");
        }
    }

    /** Makes a checkpoint for a node that can read it. The level may rise until the checkpoint is made, so it is checked again. */
    private CheckpointManifest checkpoint(FormatLevels supported) throws IOException {
        levelCheck.requireSupportedBy(supported);
        CheckpointManifest made = checkpoints.make();
        try {
            levelCheck.requireSupportedBy(supported);
        } catch (IOException e) {
            checkpoints.release(made.id());
            throw e;
        }
        return made;
    }

    private static UUID mark(NodeText text) throws IOException {
        UUID id = Membership.uuid(text.get("mark"));
        if (id == null) {
            throw new IOException("Expected the id of a mark.");
        }
        return id;
    }

    /** Nodes of different clusters refuse each other (CL-53). */
    private void requireSame(@Nullable UUID cluster) throws IOException {
        UUID own = self.get().cluster();
        if (cluster != null && own != null && !cluster.equals(own)) {
            throw new IOException("Expected a node of cluster " + own + OTHER_CLUSTER + cluster
                    + ". Empty the data directory of the wrong one.");
        }
    }
}
