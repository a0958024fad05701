package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;

/**
 * Makes a node the only member of its group, without an agreement of the others (CL-56). It is for a node whose others are gone
 * for good: entries that only they have are lost.
 *
 * <p>Ratis keeps the last configuration that was agreed on in the file {@code raft-meta.conf}, and prefers the one with the
 * largest index. So a configuration behind the end of the log counts, whatever the log has.
 */
public final class SoleMember {
    private static final String FILE = "raft-meta.conf";

    private SoleMember() {}

    /**
     * Requires that {@link #force} can read the log. The members stay as they are.
     *
     * @param directory the directory of the log
     * @param cluster   the id of the cluster
     * @throws IOException if the log cannot be read
     */
    public static void requireReadable(Path directory, UUID cluster) throws IOException {
        readable(directory, cluster).last();
    }

    private static LogFiles readable(Path directory, UUID cluster) throws IOException {
        LogFiles files = LogFiles.of(directory, cluster);
        files.requireEntries();
        files.removeTornTail(new SyncedMark(directory));
        return files;
    }

    /**
     * Makes a node the only member, from the next start of its server on. Call it while no server uses the directory. It may be
     * repeated.
     *
     * @param directory the directory of the log
     * @param cluster   the id of the cluster
     * @param self      the node
     * @throws IOException if the log cannot be read, or the file cannot be written
     */
    public static void force(Path directory, UUID cluster, RaftMember self) throws IOException {
        Path current = directory.resolve(cluster.toString()).resolve("current");
        LogFiles files = readable(directory, cluster);
        ReplayPoint known = ReplayPoint.read(directory);
        long last = Math.max(files.last(), known == null ? -1 : known.point().index());
        LogEntryProto configuration = LogEntryProto.newBuilder()
                .setIndex(last + 1)
                .setConfigurationEntry(
                        RaftConfigurationProto.newBuilder().addPeers(self.peer().getRaftPeerProto()))
                .build();
        DurableFiles.replace(current.resolve(FILE), configuration.toByteArray());
    }
}
