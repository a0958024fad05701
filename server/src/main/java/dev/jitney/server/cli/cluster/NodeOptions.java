package dev.jitney.server.cli.cluster;

import dev.jitney.runtime.Clock;
import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.TlsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that name the nodes to ask. */
final class NodeOptions {
    private static final NodeAddress DEFAULT = new NodeAddress("127.0.0.1", 7401);

    @Option(
            names = "--node",
            paramLabel = "HOST:PORT",
            split = ",",
            converter = Port.class,
            description = "Node port of any node; several are tried in turn until one answers (default: the node ports"
                    + " in --cluster-nodes, else 127.0.0.1:7401).")
    private List<NodeAddress> nodes = new ArrayList<>();

    @Option(
            names = "--cluster-nodes",
            paramLabel = "NAME=HOST:PORT[:PORT],...",
            split = ",",
            converter = Member.class,
            description =
                    "The members of the cluster, as for jitney server. The second port of a member is its node port"
                            + " (default: the first port plus 1).")
    private List<NodeAddress> members = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "5",
            converter = Seconds.class,
            description = "Timeout of a request to one node in seconds, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 5;

    @Option(
            names = ClusterCertificates.OPTION,
            paramLabel = "CERT,KEY,CA",
            converter = Certificates.class,
            description =
                    "Three PEM files for nodes that use TLS: the certificate of operators or of a node, its key, and"
                            + " the certificate of the cluster's authority, as 'jitney cluster certificates' makes them"
                            + " (default: no TLS).")
    private @Nullable ClusterCertificates tls;

    /**
     * Returns the nodes to ask, at least one.
     *
     * @throws NodeException if the certificate cannot be used
     */
    NodePorts open() throws NodeException {
        List<NodeAddress> all = !nodes.isEmpty() ? nodes : !members.isEmpty() ? members : List.of(DEFAULT);
        ClusterCertificates given = tls;
        try {
            return new NodePorts(
                    all,
                    timeoutSeconds * 1_000,
                    given == null
                            ? null
                            : given.ofOperator(Clock.system().nowMs()).sockets().getSocketFactory());
        } catch (TlsException e) {
            throw new NodeException(ClusterCertificates.OPTION + " " + given + ": " + e.getMessage());
        }
    }

    /** The certificate to show. */
    static final class Certificates implements ITypeConverter<ClusterCertificates> {
        @Override
        public ClusterCertificates convert(String value) {
            try {
                return ClusterCertificates.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** A node port. */
    static final class Port implements ITypeConverter<NodeAddress> {
        @Override
        public NodeAddress convert(String value) {
            try {
                return NodeAddress.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** A member of the cluster, of which only the node port matters here. */
    static final class Member implements ITypeConverter<NodeAddress> {
        @Override
        public NodeAddress convert(String value) {
            try {
                return NodeAddress.parseMember(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** A number of seconds. */
    static final class Seconds implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            try {
                int seconds = Integer.parseInt(value.strip());
                if (seconds >= 1 && seconds <= 3_600) {
                    return seconds;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new TypeConversionException("Expected seconds from 1 to 3600, but got '" + value + "'.");
        }
    }
}
