package dev.jitney.cluster.node;

import dev.jitney.cluster.checkpoint.CheckpointFiles;
import dev.jitney.cluster.checkpoint.CheckpointManifest;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.NodeLevels;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.cluster.member.NodeText;
import dev.jitney.runtime.store.FormatLevels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The checkpoints of another member. */
final class RemoteCheckpoint implements CheckpointFiles {
    private final NodeLink link;
    private final ClusterMember member;
    private final String cluster;
    private final int stores;
    private final FormatLevels levels;

    /**
     * @param link    sends requests
     * @param member  the member
     * @param cluster the id of the cluster, which the member checks
     * @param stores  the number of stores
     * @param levels  the levels that this node supports, which the member checks (CL-61)
     */
    RemoteCheckpoint(NodeLink link, ClusterMember member, String cluster, int stores, FormatLevels levels) {
        this.link = link;
        this.member = member;
        this.cluster = cluster;
        this.stores = stores;
        this.levels = levels;
    }

    private NodeText request() {
        return new NodeText().put("cluster", cluster);
    }

    private NodeText request(String checkpoint, int store, String file) {
        return request().put("checkpoint", checkpoint).put("store", "" + store).put("file", file);
    }

    @Override
    public CheckpointManifest make() throws IOException {
        byte[] answer = link.ask(
                member,
                NodeAnswers.CHECKPOINT,
                NodeLevels.addTo(request(), levels).bytes());
        return CheckpointManifest.parse(new String(answer, StandardCharsets.UTF_8), stores);
    }

    @Override
    public int checksum(String checkpoint, int store, String file) throws IOException {
        byte[] answer = link.ask(
                member, NodeAnswers.CHECKSUM, request(checkpoint, store, file).bytes());
        if (answer.length != Integer.BYTES) {
            throw new IOException("Expected a checksum, but got " + answer.length + " bytes.");
        }
        return ByteBuffer.wrap(answer).getInt();
    }

    @Override
    public byte[] read(String checkpoint, int store, String file, long offset, int length) throws IOException {
        return link.ask(
                member,
                NodeAnswers.READ,
                request(checkpoint, store, file)
                        .put("offset", "" + offset)
                        .put("length", "" + length)
                        .bytes());
    }

    @Override
    public void release(String checkpoint) throws IOException {
        link.ask(
                member,
                NodeAnswers.RELEASE,
                request().put("checkpoint", checkpoint).bytes());
    }
}
