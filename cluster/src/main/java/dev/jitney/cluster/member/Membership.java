package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.DurableFiles;
import dev.jitney.cluster.ratis.RaftMember;
import dev.jitney.runtime.store.FormatLevels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * @param identity  the identity of this node
 * @param cluster   the id of the cluster, or null if the node belongs to none yet (CL-53)
 * @param founders  the members at the foundation, if this node is one of them, otherwise none
 * @param known     the last members that this node knew; none if it knew none yet
 * @param joined    whether the node has been a member with a vote
 * @param removed   whether the node was taken out (CL-52)
 * @param lost      whether its log has lost entries that it had acknowledged (CL-50)
 * @param change    a change of the whole directory that is not complete (CL-54, CL-56)
 * @param abandoned the id of the cluster whose other members were abandoned, or null (CL-56)
 * @param level     the level at which the founders founded the cluster (CL-60)
 */
public record Membership(
        String identity,
        @Nullable UUID cluster,
        List<RaftMember> founders,
        List<RaftMember> known,
        boolean joined,
        boolean removed,
        boolean lost,
        Change change,
        @Nullable UUID abandoned,
        int level) {
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
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9._\\[\\]:-]{1,300}:\\d{1,5}");

    /** A change of a whole data directory. If it was interrupted, it has to be completed before the node starts. */
    public enum Change {
        /** None. */
        NONE,
        /** The directory of a single node becomes that of the first member of a cluster (CL-54). */
        FOUNDING,
        /** The directory of a member becomes that of a single node (CL-54). */
        LEAVING,
        /** The log of a member is being made that of an only member. Its cluster and identity are still the old ones (CL-56). */
        ABANDONING_BEGUN,
        /** The directory of a member becomes that of the only member of another cluster (CL-56). */
        ABANDONING
    }

    public Membership {
        founders = List.copyOf(founders);
        known = List.copyOf(known);
    }

    /** Returns a node that belongs to no cluster. */
    public static Membership none(String identity) {
        return new Membership(
                identity, null, List.of(), List.of(), false, false, false, Change.NONE, null, FormatLevels.FIRST);
    }

    /** Returns a new identity of a node. */
    public static String newIdentity(String name) {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return name + "." + HexFormat.of().formatHex(random);
    }

    /** Returns the membership of a data directory. An empty one gets a new identity, which is on disk then. */
    public static Membership open(Path directory, String name) throws IOException {
        Membership found = read(directory);
        if (found == null) {
            Membership made = none(newIdentity(name));
            Files.createDirectories(directory);
            made.write(directory);
            return made;
        }
        if (!nameOf(found.identity).equals(name)) {
            throw new IOException("Could not read " + directory.resolve(FILE)
                    + ": Expected the data directory of node '" + name + "', but it is that of '"
                    + nameOf(found.identity) + "'. Use another directory, or change --cluster-node.");
        }
        return found;
    }

    /** Returns the membership of a data directory, or null if it has none. */
    public static @Nullable Membership read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException(
                    "Expected " + file + " to be a small file, but it has " + Files.size(file) + " bytes.");
        }
        try {
            return of(NodeText.parse(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new IOException("Could not read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Membership of(NodeText text) throws IOException {
        if (!text.get("version").equals(VERSION)) {
            throw new IOException("Expected version " + VERSION + ", but got " + text.get("version"));
        }
        return new Membership(
                identity(text.get("identity")),
                uuid(text.get("cluster")),
                members(text, "founders"),
                text.has("members") ? members(text, "members") : List.of(),
                text.isTrue("joined"),
                text.isTrue("removed"),
                text.has("lost") && text.isTrue("lost"),
                text.has("change") ? change(text.get("change")) : Change.NONE,
                text.has("abandoned") ? uuid(text.get("abandoned")) : null,
                text.has("level") ? Math.max(FormatLevels.FIRST, text.smallNumber("level")) : FormatLevels.FIRST);
    }

    private static Change change(String text) throws IOException {
        for (Change change : Change.values()) {
            if (change.name().toLowerCase(Locale.ROOT).equals(text)) {
                return change;
            }
        }
        throw new IOException("Expected a change of the directory, but got '" + text
                + "'. If a newer version wrote it, start that version.");
    }

    /** Writes the file; it is on disk when this method returns. */
    public void write(Path directory) throws IOException {
        NodeText text = new NodeText()
                .put("version", VERSION)
                .put("identity", identity)
                .put("cluster", cluster == null ? "" : cluster.toString());
        addTo(text, "founders", founders)
                .put("joined", "" + joined)
                .put("removed", "" + removed)
                .put("lost", "" + lost);
        addTo(text, "members", known)
                .put("change", change.name().toLowerCase(Locale.ROOT))
                .put("abandoned", abandoned == null ? "" : abandoned.toString())
                .put("level", "" + level);
        DurableFiles.replace(directory.resolve(FILE), text.toString());
    }

    /** Returns the membership in a cluster, to be founded or joined. */
    public Membership in(UUID id, List<RaftMember> members) {
        return new Membership(identity, id, members, known, joined, removed, lost, change, abandoned, level);
    }

    /** Returns the membership in a cluster that was founded at a level (CL-60). */
    public Membership foundedAt(int founding) {
        return new Membership(identity, cluster, founders, known, joined, removed, lost, change, abandoned, founding);
    }

    public Membership knowing(List<RaftMember> members) {
        return new Membership(identity, cluster, founders, members, joined, removed, lost, change, abandoned, level);
    }

    public Membership asMember() {
        return new Membership(identity, cluster, founders, known, true, removed, lost, change, abandoned, level);
    }

    public Membership asRemoved() {
        return new Membership(identity, cluster, founders, known, joined, true, lost, change, abandoned, level);
    }

    public Membership asLost() {
        return new Membership(identity, cluster, founders, known, joined, removed, true, change, abandoned, level);
    }

    public Membership changing(Change next) {
        return new Membership(identity, cluster, founders, known, joined, removed, lost, next, abandoned, level);
    }

    /**
     * Returns the members with which the Ratis server of this node starts. They count only if Ratis has none in its own files, for
     * example because the disk was full when Ratis 3.3.0 had to write them. The founders are not enough then: members may have been
     * added or removed since, and the founder of a cluster that has grown would take itself for a majority (CL-55).
     */
    public List<RaftMember> membersAtStart() {
        return joined && !known.isEmpty() ? known : founders;
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

    /** Adds members under a key. Their node ports have a key of their own, which earlier releases do not read. */
    static NodeText addTo(NodeText text, String key, List<RaftMember> members) {
        StringJoiner all = new StringJoiner(",");
        StringJoiner ports = new StringJoiner(",");
        for (RaftMember member : members) {
            all.add(member.identity() + "=" + member.address());
            ports.add(member.identity() + "=" + member.nodePort());
        }
        return text.put(key, all.toString()).put(key + ".nodePorts", ports.toString());
    }

    static List<RaftMember> members(NodeText text, String key) throws IOException {
        Map<String, String> ports =
                text.has(key + ".nodePorts") ? byIdentity(text.get(key + ".nodePorts")) : new HashMap<>();
        List<RaftMember> members = new ArrayList<>();
        for (Map.Entry<String, String> member : byIdentity(text.get(key)).entrySet()) {
            String port = ports.getOrDefault(member.getKey(), "0");
            if (!ADDRESS.matcher(member.getValue()).matches() || !port.matches("\\d{1,5}")) {
                throw new IOException("Expected members with their addresses, but got something else.");
            }
            members.add(new RaftMember(member.getKey(), member.getValue(), Integer.parseInt(port)));
        }
        return members;
    }

    private static Map<String, String> byIdentity(String text) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        if (text.isEmpty()) {
            return values;
        }
        for (String member : text.split(",", 2 * ClusterMember.MEMBERS_MAX)) {
            int equals = member.indexOf('=');
            if (equals < 0) {
                throw new IOException("Expected members with their addresses, but got something else.");
            }
            values.put(identity(member.substring(0, equals)), member.substring(equals + 1));
        }
        return values;
    }
}
