package dev.jitney.cluster.member;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A node of the cluster, as the settings name it.
 *
 * @param name     its name: letters, digits and hyphens, 1 to {@value #NAME_MAX} characters
 * @param host     its host name or address
 * @param raftPort the port of its Ratis server
 * @param nodePort the port on which nodes talk to each other otherwise
 */
public record ClusterMember(String name, String host, int raftPort, int nodePort) {
    /** The maximum number of members. More make every commit slower and nothing safer. */
    public static final int MEMBERS_MAX = 7;

    private static final int NAME_MAX = 63;
    private static final int HOST_MAX = 253;
    private static final int TEXT_MAX = 4_096;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

    /**
     * Returns the members of a text such as {@code a=host:7400,b=host:7400:7500}. The second number is the node port; without
     * it, it is the one behind the Ratis port.
     *
     * @throws IllegalArgumentException if the text is not valid; the message names the option
     */
    public static List<ClusterMember> parse(String text) {
        if (text.isBlank() || text.length() > TEXT_MAX) {
            throw invalid(
                    "Expected members such as a=host:7400,b=host:7400,c=host:7400, but got '" + start(text) + "'.");
        }
        List<ClusterMember> members = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> addresses = new HashSet<>();
        for (String part : text.split(",", -1)) {
            ClusterMember member = one(part.trim());
            if (!names.add(member.name.toLowerCase(Locale.ROOT))) {
                throw invalid("Expected different names, but got '" + member.name + "' twice.");
            }
            if (!addresses.add(member.host + ":" + member.raftPort)
                    || !addresses.add(member.host + ":" + member.nodePort)) {
                throw invalid("Expected different ports on " + member.host + ", but '" + member.name
                        + "' has a port that is used already. The node port is the one behind the first port unless"
                        + " you give it, as in a=host:7400:7500.");
            }
            members.add(member);
        }
        if (members.size() > MEMBERS_MAX) {
            throw invalid("Expected at most " + MEMBERS_MAX + " members, but got " + members.size() + ".");
        }
        return members;
    }

    private static ClusterMember one(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? "" : text.substring(0, equals);
        if (name.length() > NAME_MAX || !NAME.matcher(name).matches()) {
            throw invalid("Expected NAME=HOST:PORT with a name of letters, digits and hyphens, but got '" + start(text)
                    + "'.");
        }
        String rest = text.substring(equals + 1);
        int hostEnd = rest.startsWith("[") ? rest.indexOf(']') + 1 : rest.indexOf(':');
        if (hostEnd <= 0 || hostEnd >= rest.length() || rest.charAt(hostEnd) != ':') {
            throw invalid("Expected a host and a port for '" + name + "', but got '" + start(rest) + "'.");
        }
        String host = rest.substring(0, hostEnd);
        if (host.length() > HOST_MAX || !HOST.matcher(host).matches()) {
            throw invalid("Expected a host name or address for '" + name + "', but got '" + start(host)
                    + "'. Write IPv6 addresses in brackets.");
        }
        String[] ports = rest.substring(hostEnd + 1).split(":", -1);
        if (ports.length > 2) {
            throw invalid("Expected one or two ports for '" + name + "', but got '" + start(rest) + "'.");
        }
        int raftPort = port(name, ports[0]);
        int nodePort = ports.length == 2 ? port(name, ports[1]) : raftPort + 1;
        if (nodePort > 65_535 || nodePort == raftPort) {
            throw invalid("Expected a node port for '" + name + "' that differs from " + raftPort
                    + " and is at most 65535. Add it, as in a=host:7400:7500.");
        }
        return new ClusterMember(name, host, raftPort, nodePort);
    }

    private static int port(String name, String text) {
        if (text.matches("\\d{1,5}")) {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65_535) {
                return port;
            }
        }
        throw invalid("Expected a port from 1 to 65535 for '" + name + "', but got '" + start(text) + "'.");
    }

    private static String start(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }

    private static IllegalArgumentException invalid(String reason) {
        return new IllegalArgumentException("--cluster-nodes: " + reason);
    }

    /**
     * Returns the address for this node to listen on: its own one if all members are on this machine, otherwise null for all
     * addresses. The address of this node alone does not decide, because many systems resolve it to a loopback address on the machine
     * itself.
     *
     * @param all all members of the cluster
     */
    public @Nullable String listenHost(List<ClusterMember> all) {
        return isLoopback(host) && all.stream().allMatch(member -> isLoopback(member.host)) ? host : null;
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // names may appear later than nodes
        }
    }

    /** Returns host and port of the Ratis server. */
    public String raftAddress() {
        return host + ":" + raftPort;
    }
}
