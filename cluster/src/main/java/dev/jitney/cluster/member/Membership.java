package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.DurableFiles;
import dev.jitney.cluster.ratis.RaftMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node in a cluster, as the file {@code cluster.properties} in its data directory has it.
 *
 * <p>The identity is the name and a random part that is made with the directory. It is never used for another directory, so an
 * identity never comes back with less than it has acknowledged (CL-50).
 *
 * @param identity the identity of this node
 * @param cluster  the id of the cluster, or null if the node belongs to none yet (CL-53)
 * @param founders the members at the foundation, if this node is one of them, otherwise none
 * @param joined   whether the node has been a member with a vote
 * @param removed  whether the node was taken out (CL-52)
 * @param lost     whether its log has lost entries that it had acknowledged (CL-50)
 */
public record Membership(
        String identity,
        @Nullable UUID cluster,
        List<RaftMember> founders,
        boolean joined,
        boolean removed,
        boolean lost) {
    public static final String FILE = "cluster.properties";

    /** The message of a node that was taken out (CL-52). */
    public static final String REMOVED =
            "The cluster has taken this node's identity out. Empty its data directory, and it joins as a new member.";

    /** The message of a node whose log has lost entries (CL-50). */
    public static final String LOST =
            "Its log has lost entries that it acknowledged. Empty the data directory, and the node joins the cluster as a new member.";

    private static final String VERSION = "1";
    private static final int RANDOM_BYTES = 6;
    private static final int FILE_BYTES_MAX = 1 << 16;
    private static final Pattern IDENTITY = Pattern.compile("[A-Za-z0-9-]{1,63}\\.[0-9a-f]{1,32}");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9._\\[\\]:-]{1,300}");

    public Membership {
        founders = List.copyOf(founders);
    }

    /** Returns the membership of a data directory. An empty one gets a new identity, which is on disk then. */
    public static Membership open(Path directory, String name) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            byte[] random = new byte[RANDOM_BYTES];
            new SecureRandom().nextBytes(random);
            Membership made =
                    new Membership(name + "." + HexFormat.of().formatHex(random), null, List.of(), false, false, false);
            Files.createDirectories(directory);
            made.write(directory);
            return made;
        }
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException(
                    "Expected " + file + " to be a small file, but it has " + Files.size(file) + " bytes.");
        }
        try {
            NodeText text = NodeText.parse(Files.readAllBytes(file));
            if (!text.get("version").equals(VERSION)) {
                throw new IOException("Expected version " + VERSION + ", but got " + text.get("version"));
            }
            Membership found = new Membership(
                    identity(text.get("identity")),
                    uuid(text.get("cluster")),
                    members(text.get("founders")),
                    text.isTrue("joined"),
                    text.isTrue("removed"),
                    text.has("lost") && text.isTrue("lost"));
            if (!nameOf(found.identity).equals(name)) {
                throw new IOException("Expected the data directory of node '" + name + "', but it is that of '"
                        + nameOf(found.identity) + "'. Use another directory, or change --cluster-node.");
            }
            return found;
        } catch (IOException e) {
            throw new IOException("Could not read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Writes the file; it is on disk when this method returns. */
    public void write(Path directory) throws IOException {
        DurableFiles.replace(
                directory.resolve(FILE),
                new NodeText()
                        .put("version", VERSION)
                        .put("identity", identity)
                        .put("cluster", cluster == null ? "" : cluster.toString())
                        .put("founders", text(founders))
                        .put("joined", "" + joined)
                        .put("removed", "" + removed)
                        .put("lost", "" + lost)
                        .toString());
    }

    public Membership in(UUID id, List<RaftMember> members) {
        return new Membership(identity, id, members, joined, removed, lost);
    }

    public Membership asMember() {
        return new Membership(identity, cluster, founders, true, removed, lost);
    }

    public Membership asRemoved() {
        return new Membership(identity, cluster, founders, joined, true, lost);
    }

    public Membership asLost() {
        return new Membership(identity, cluster, founders, joined, removed, true);
    }

    /** Returns the name of the node with an identity. */
    public static String nameOf(String identity) {
        return identity.substring(0, identity.indexOf('.'));
    }

    public static String identity(String text) throws IOException {
        if (!IDENTITY.matcher(text).matches()) {
            throw new IOException("Expected an identity of a node, but got something else.");
        }
        return text;
    }

    public static @Nullable UUID uuid(String text) throws IOException {
        try {
            return text.isEmpty() ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("Expected the id of a cluster, but got something else.", e);
        }
    }

    public static String text(List<RaftMember> members) {
        StringJoiner all = new StringJoiner(",");
        members.forEach(member -> all.add(member.identity() + "=" + member.address()));
        return all.toString();
    }

    public static List<RaftMember> members(String text) throws IOException {
        List<RaftMember> members = new ArrayList<>();
        if (text.isEmpty()) {
            return members;
        }
        for (String member : text.split(",", 2 * ClusterMember.MEMBERS_MAX)) {
            int equals = member.indexOf('=');
            if (equals < 0 || !ADDRESS.matcher(member.substring(equals + 1)).matches()) {
                throw new IOException("Expected members with their addresses, but got something else.");
            }
            members.add(new RaftMember(identity(member.substring(0, equals)), member.substring(equals + 1)));
        }
        return members;
    }
}
