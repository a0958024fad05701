package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file in which Ratis keeps the term and the vote of a node. Ratis 3.3.0 replaces it by an empty file if the disk is full when
 * it writes one. The process still knows its term then, and can write the file again.
 *
 * <p>Use it while no Ratis server runs in the directory, except for {@link #isLost}.
 */
public final class VoteFile {
    private static final Pattern TERM = Pattern.compile("(?m)^term=(\\d{1,18})$");

    private final Path file;

    /**
     * @param directory the directory of the Ratis server
     * @param cluster   the id of the cluster
     */
    public VoteFile(Path directory, UUID cluster) {
        file = directory.resolve(cluster.toString()).resolve("current").resolve("raft-meta");
    }

    /** Returns whether the file is there, but empty. Any thread may call it, also while a Ratis server runs. */
    public boolean isLost() {
        try {
            return Files.exists(file) && Files.size(file) == 0;
        } catch (IOException e) {
            return false; // it is being replaced
        }
    }

    /**
     * Returns the term of this node; 0 if it has no file yet.
     *
     * @throws IOException if the file cannot be read, or has no term
     */
    long term() throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        Matcher term = TERM.matcher(Files.readString(file));
        if (!term.find()) {
            throw new IOException("Expected the term and the vote of this node in " + file
                    + ", but they are missing, because its disk was full. Empty the data directory, and the node joins the"
                    + " cluster as a new member.");
        }
        return Long.parseLong(term.group(1));
    }

    /**
     * Writes the file again after it was lost. The node then has voted for itself, so it votes for no other node in this term.
     *
     * @param term     the term of the node when its last server ended, which is never below that of a vote it has given
     * @param identity the identity of the node
     */
    public void restore(long term, String identity) throws IOException {
        DurableFiles.replace(file, "term=" + term + "\nvotedFor=" + identity + "\n");
    }
}
