package dev.jitney.cli.tls;

import dev.jitney.cli.connection.TrustedCertificates;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.OutputOptions;
import dev.jitney.cli.output.Report;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code jitney tls check}. */
public final class TlsCommands {
    private static final int DEFAULT_PORT = 5671;
    private static final int TIMEOUT_MS = 10_000;
    private static final int PORT_MAX = 65_535;

    private TlsCommands() {}

    public static CommandLine tls(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("tls")
                .addSubcommand("check", new CommandLine(new Check(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Checks TLS of a server.")
                        .footerHeading("%nExamples:%n")
                        .footer("  jitney tls check broker.example.com:5671")));
    }

    @Command(
            name = "check",
            description = {
                "Connects to a TLS port and shows its versions, cipher suites and certificates, and each problem with its"
                        + " fix. Works for AMQP, HTTPS and ports that serve both."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  jitney tls check broker.example.com",
                "  jitney tls check localhost:5672 --ca jitney-data/tls/ca.pem",
                "",
                "Exit status: 0 no problems (warnings are permitted), 1 problems, or the server is",
                "unreachable, 2 invalid options."
            })
    static final class Check implements Callable<Integer> {
        private final Console console;

        @Parameters(
                index = "0",
                paramLabel = "HOST[:PORT]",
                description = "Host name or address of the server, as clients use it (default port: 5671).")
        private String target = "";

        @Option(
                names = "--ca",
                paramLabel = "FILE",
                description = "PEM file with certificates to trust, in addition to those of Java.")
        private @Nullable Path authorities;

        @Option(names = "--json", description = "The same as -o json.")
        private boolean json;

        @Mixin
        private OutputOptions output = new OutputOptions();

        Check(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            int colon = target.lastIndexOf(':');
            boolean isBareIpv6 = target.indexOf(':') != colon && !target.startsWith("[");
            boolean hasPort = colon > 0 && !isBareIpv6 && !target.endsWith("]");
            String host = (hasPort ? target.substring(0, colon) : target).replaceAll("^\\[|]$", "");
            int port = hasPort ? port(target.substring(colon + 1)) : DEFAULT_PORT;
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (host.isBlank() || address.isUnresolved()) {
                throw Failure.badOption(
                        "HOST: Expected a host name with an address, or an address, but got '" + host + "'.");
            }
            List<X509Certificate> trusted = authorities == null ? List.of() : TrustedCertificates.read(authorities);
            TlsProbe.Result result;
            try {
                result = new TlsProbe(host, address, trusted, TIMEOUT_MS).run();
            } catch (SSLException e) {
                throw new Failure(
                        Failure.FAULT,
                        target
                                + ": Expected TLS 1.2 or 1.3, but this port does not accept it (" + e.getMessage()
                                + "). Use the TLS port, or start the server with"
                                + " --tls.",
                        e);
            } catch (IOException e) {
                throw new Failure(
                        Failure.FAULT,
                        target + ": Cannot connect: " + e.getMessage()
                                + ". Check the host, the port, and whether the server runs.",
                        e);
            }
            List<TlsFindings.Finding> findings =
                    new TlsFindings(host, result, console.clock().instant()).all();
            print(result, findings);
            return findings.stream().anyMatch(TlsFindings.Finding::problem) ? Failure.FAULT : 0;
        }

        private static int port(String text) {
            if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > PORT_MAX || Integer.parseInt(text) == 0) {
                throw Failure.badOption("PORT: Expected 1 to " + PORT_MAX + ", but got '" + text + "'.");
            }
            return Integer.parseInt(text);
        }

        private void print(TlsProbe.Result result, List<TlsFindings.Finding> findings) {
            OutputFormat format = json ? OutputFormat.JSON : output.format();
            if (format == OutputFormat.JSON) {
                Report.single(console.out(), format, document(result, findings));
                return;
            }
            result.suites()
                    .forEach((version, suites) -> console.out().println(version + "  " + String.join(", ", suites)));
            console.out()
                    .println("client certificate  " + (result.clientCertificate() ? "requested" : "not requested"));
            for (int i = 0; i < result.chain().size(); i++) {
                console.out().println();
                Map<String, @Nullable Object> certificate = new LinkedHashMap<>();
                certificate.put("certificate", i + 1);
                certificate.putAll(certificate(result.chain().get(i)));
                Report.single(console.out(), format, certificate);
            }
            console.out().println();
            if (findings.isEmpty()) {
                console.out().println("No problems.");
            }
            for (TlsFindings.Finding finding : findings) {
                console.out()
                        .println(
                                (finding.problem() ? "Problem: " : "Warning: ") + finding.text() + " " + finding.fix());
            }
            console.out().flush();
        }

        private Map<String, @Nullable Object> document(TlsProbe.Result result, List<TlsFindings.Finding> findings) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("versions", new LinkedHashMap<>(result.suites()));
            document.put("weak", result.weak());
            document.put("clientCertificateRequested", result.clientCertificate());
            List<Map<String, @Nullable Object>> chain = new ArrayList<>();
            result.chain().forEach(each -> chain.add(certificate(each)));
            document.put("chain", chain);
            document.put("nameFits", result.nameFits());
            document.put("trusted", result.trust() == null && !result.chain().isEmpty());
            document.put(
                    "findings",
                    findings.stream().map(TlsFindings.Finding::document).toList());
            return document;
        }

        private static Map<String, @Nullable Object> certificate(X509Certificate certificate) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("subject", certificate.getSubjectX500Principal().toString());
            document.put("issuer", certificate.getIssuerX500Principal().toString());
            document.put("names", String.join(", ", TlsFindings.names(certificate)));
            document.put("from", certificate.getNotBefore().toInstant().toString());
            document.put("until", certificate.getNotAfter().toInstant().toString());
            document.put("key", certificate.getPublicKey().getAlgorithm());
            document.put("signature", certificate.getSigAlgName());
            return document;
        }
    }
}
