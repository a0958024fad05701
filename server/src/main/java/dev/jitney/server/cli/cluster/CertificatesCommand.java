package dev.jitney.server.cli.cluster;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.runtime.Clock;
import dev.jitney.server.tls.ClusterAuthority;
import dev.jitney.server.tls.TlsException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code jitney cluster certificates}: makes an authority and certificates for TLS between nodes (CL-70). */
@Command(
        name = "certificates",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Makes an authority, a certificate for each node, and one for operators, all for TLS between the nodes of a"
                    + " cluster (--cluster-tls).",
            "",
            "The names and hosts of the nodes come from --cluster-nodes or from the arguments. The certificate of a node is"
                    + " valid for its host, and for localhost. The certificate of operators is for commands such as"
                    + " jitney cluster status. Run it again to add nodes: it uses the authority in the directory, and"
                    + " leaves existing files alone.",
            "",
            "Keep ca-key.pem off the nodes: anyone with this key can make a node. All keys are readable by their owner only.",
            "",
            "Exit status: 0 = all certificates exist, 1 = a file cannot be read or written, 2 = invalid options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney cluster certificates --out certs a=broker-1 b=broker-2 c=broker-3",
            "  jitney cluster certificates --out certs d=broker-4         adds a node",
            "  jitney cluster certificates --out certs --renew a          before its certificate expires",
            "  JITNEY_CLUSTER_NODES=a=broker-1:7400,b=broker-2:7400,c=broker-3:7400 \\",
            "      jitney cluster certificates --out certs --also a=10.0.0.1"
        })
final class CertificatesCommand implements Callable<Integer> {
    private static final String OPERATOR = "operator";
    private static final String AUTHORITY = "ca";
    private static final int DAYS_MAX = 36_500;

    private final PrintStream out;
    private final PrintStream err;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "NAME=HOST",
            arity = "0..*",
            converter = Named.class,
            description = "Names of nodes with their host names or addresses, instead of --cluster-nodes.")
    private List<NamedHost> named = new ArrayList<>();

    @Option(
            names = "--cluster-nodes",
            paramLabel = "NAME=HOST:PORT[:PORT],...",
            converter = Members.class,
            description = "The nodes of the cluster, as for jitney server.")
    private @Nullable MemberList members;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "Directory of the authority and all certificates; created if missing.")
    private Path directory = Path.of("");

    @Option(
            names = "--also",
            paramLabel = "NAME=HOST",
            split = ",",
            converter = Named.class,
            description =
                    "One more host name or address in the certificate of a node; repeatable. A new certificate has"
                            + " it, an existing one does not change.")
    private List<NamedHost> also = new ArrayList<>();

    @Option(
            names = "--renew",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Replace the certificate and the key of a node, or of operator, by new ones for the same hosts;"
                            + " repeatable.")
    private List<String> renewed = new ArrayList<>();

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "825",
            converter = Days.class,
            description = "Days for which new certificates are valid, at most as long as the authority (default:"
                    + " ${DEFAULT-VALUE}).")
    private int days = 825;

    @Option(
            names = "--authority-days",
            paramLabel = "N",
            defaultValue = "3650",
            converter = Days.class,
            description = "Days for which a new authority is valid (default: ${DEFAULT-VALUE}).")
    private int authorityDays = 3_650;

    CertificatesCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        Map<String, List<String>> hosts = hosts();
        if (hosts.isEmpty() && renewed.isEmpty()) {
            throw bad("Expected the nodes, but got none. Add them as NAME=HOST, for example a=broker-1, or with"
                    + " --cluster-nodes.");
        }
        Instant now = Instant.ofEpochMilli(Clock.system().nowMs());
        try {
            ClusterAuthority authority = ClusterAuthority.open(directory, Duration.ofDays(authorityDays), now);
            out.println((authority.isNew() ? "Made the authority " : "Uses the authority ")
                    + authority.certificateOf(AUTHORITY) + ", valid until " + date(authority.expiry()) + ".");
            for (String name : renewed) {
                authority.renew(name, Duration.ofDays(days), now);
                out.println("Renewed " + files(authority, name) + ".");
            }
            hosts.put(OPERATOR, List.of());
            for (Map.Entry<String, List<String>> each : hosts.entrySet()) {
                make(authority, each.getKey(), each.getValue(), now);
            }
            nextStep(authority, hosts);
            return 0;
        } catch (TlsException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private void make(ClusterAuthority authority, String name, List<String> nodeHosts, Instant now)
            throws TlsException {
        if (renewed.contains(name)) {
            return;
        }
        if (authority.has(name)) {
            out.println("Left " + authority.certificateOf(name) + " as it is.");
            return;
        }
        authority.make(name, nodeHosts, Duration.ofDays(days), now);
        out.println("Made " + files(authority, name)
                + (nodeHosts.isEmpty() ? " for operators." : " for " + String.join(", ", nodeHosts) + "."));
    }

    private void nextStep(ClusterAuthority authority, Map<String, List<String>> hosts) {
        String first = hosts.keySet().iterator().next();
        String node = first.equals(OPERATOR) && !renewed.isEmpty() ? renewed.get(0) : first;
        out.println();
        out.println("Next: copy ca.pem and the two files of each node to its machine, and start it with them:");
        out.println("  jitney server --cluster-node " + node + " --cluster-tls " + option(authority, node) + " ...");
        out.println("Commands use the certificate of operators:");
        out.println("  jitney cluster status --cluster-tls " + option(authority, OPERATOR));
        out.println("Keep " + authority.keyOf(AUTHORITY) + " off the nodes: anyone with this key can make a node.");
    }

    private static String files(ClusterAuthority authority, String name) {
        return authority.certificateOf(name) + " and " + authority.keyOf(name);
    }

    private static String option(ClusterAuthority authority, String name) {
        return authority.certificateOf(name) + "," + authority.keyOf(name) + "," + authority.certificateOf(AUTHORITY);
    }

    private static LocalDate date(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    /** Returns the hosts of each node, in order. */
    private Map<String, List<String>> hosts() {
        Map<String, List<String>> hosts = new LinkedHashMap<>();
        // Arguments replace the environment variable, which is often set for other commands.
        if (named.isEmpty() && members != null) {
            for (ClusterMember member : members.all()) {
                add(hosts, new NamedHost(member.name(), NamedHost.plain(member.host())));
            }
        }
        named.forEach(each -> add(hosts, each));
        for (NamedHost each : also) {
            if (!hosts.containsKey(each.name())) {
                throw bad("--also: Expected the name of a node (" + String.join(", ", hosts.keySet()) + "), but got '"
                        + each.name() + "'.");
            }
            add(hosts, each);
        }
        return hosts;
    }

    private void add(Map<String, List<String>> hosts, NamedHost each) {
        String lower = each.name().toLowerCase(Locale.ROOT);
        if (lower.equals(OPERATOR) || lower.equals(AUTHORITY)) {
            throw bad("Expected another name than '" + each.name() + "', which has a meaning of its own in this"
                    + " directory. Rename the node.");
        }
        if (!ClusterAuthority.isHost(each.host())) {
            throw bad("Expected a host name or an address for node '" + each.name() + "', but got '" + each.host()
                    + "'. Certificates allow letters, digits, hyphens and dots.");
        }
        hosts.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each.host());
    }

    private ParameterException bad(String message) {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return new ParameterException(spec.commandLine(), message);
    }

    /** A host of a node. */
    record NamedHost(String name, String host) {
        /** Returns an IPv6 address without brackets, and everything else as it is. */
        static String plain(String host) {
            return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        }
    }

    /** The nodes of the option. */
    record MemberList(List<ClusterMember> all) {}

    /** A node with its host. */
    static final class Named implements ITypeConverter<NamedHost> {
        @Override
        public NamedHost convert(String value) {
            int equals = value.indexOf('=');
            String name = equals < 0 ? "" : value.substring(0, equals).strip();
            String host = value.substring(equals + 1).strip();
            if (!name.matches("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?") || host.isEmpty()) {
                throw new TypeConversionException(
                        "Expected NAME=HOST, for example a=broker-1, but got '" + value + "'.");
            }
            return new NamedHost(name, NamedHost.plain(host));
        }
    }

    /** The nodes, as for the server. */
    static final class Members implements ITypeConverter<MemberList> {
        @Override
        public MemberList convert(String value) {
            try {
                return new MemberList(ClusterMember.parse(value));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** A number of days. */
    static final class Days implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            try {
                int number = Integer.parseInt(value.strip());
                if (number >= 1 && number <= DAYS_MAX) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new TypeConversionException("Expected days from 1 to " + DAYS_MAX + ", but got '" + value + "'.");
        }
    }
}
