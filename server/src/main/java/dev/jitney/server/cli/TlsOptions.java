package dev.jitney.server.cli;

import dev.jitney.runtime.security.TlsPolicy;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.tls.TlsSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options of TLS on the ports of clients, except for the certificate of the server. */
final class TlsOptions {
    @Option(
            names = "--tls-versions",
            paramLabel = "V,...",
            split = ",",
            description = "Versions of TLS that the ports of clients accept: TLSv1.3, TLSv1.2 or both (default: both).")
    private List<String> versions = List.of();

    @Option(
            names = "--tls-ciphers",
            paramLabel = "SUITE,...",
            split = ",",
            description =
                    "Cipher suites that the ports of clients accept, the preferred one first, by their names in Java or"
                            + " OpenSSL. They must have authenticated encryption and forward secrecy (default: all such"
                            + " suites with AES-GCM and ChaCha20).")
    private List<String> ciphers = List.of();

    @Option(
            names = "--tls-engine",
            paramLabel = "AUTO|JDK|OPENSSL",
            defaultValue = "AUTO",
            description = "Implementation of TLS on the ports of clients: OPENSSL needs the native library of"
                    + " netty-tcnative on the class path; AUTO takes it if it is there, and that of the JDK otherwise"
                    + " (default: ${DEFAULT-VALUE}).")
    private String engine = "AUTO";

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description = "PEM file with the authorities that sign certificates of clients (default: none; clients"
                    + " show no certificates).")
    private @Nullable Path clientAuthorities;

    @Option(
            names = "--tls-client-auth",
            paramLabel = "OFF|OPTIONAL|REQUIRED",
            description = "Certificates of clients on the TLS ports: OFF, OPTIONAL, or REQUIRED, which refuses clients"
                    + " without one (default: OPTIONAL with --tls-client-ca, otherwise OFF).")
    private @Nullable String clientAuthentication;

    @Option(
            names = "--tls-client-rules",
            paramLabel = "FILE",
            description = "JSON file with the access rules that certificates of clients stand for, over AMQP with SASL"
                    + " EXTERNAL and over HTTP without Authorization (default: none; certificates give no rights).")
    private @Nullable Path clientRules;

    /**
     * Sets the options of a server.
     *
     * @param bad makes the exception of invalid options
     */
    void addTo(JitneyServerBuilder builder, Function<String, ParameterException> bad) {
        List<String> accepted;
        try {
            accepted = versions.isEmpty() ? TlsPolicy.DEFAULT.versions() : TlsPolicy.parseVersions(versions);
        } catch (IllegalArgumentException e) {
            throw bad.apply("--tls-versions: " + e.getMessage());
        }
        List<String> suites;
        try {
            suites = ciphers.isEmpty() ? TlsPolicy.DEFAULT.suites() : TlsPolicy.parseSuites(ciphers);
        } catch (IllegalArgumentException e) {
            throw bad.apply("--tls-ciphers: " + e.getMessage());
        }
        TlsPolicy.ClientAuthentication clients = clientAuthentication == null
                ? clientAuthorities == null
                        ? TlsPolicy.ClientAuthentication.OFF
                        : TlsPolicy.ClientAuthentication.OPTIONAL
                : choice("--tls-client-auth", TlsPolicy.ClientAuthentication.class, clientAuthentication, bad);
        TlsPolicy policy =
                new TlsPolicy(accepted, suites, choice("--tls-engine", TlsPolicy.Engine.class, engine, bad), clients);
        builder.tlsSettings(new TlsSettings(policy, clientAuthorities, clientRules));
    }

    private static <E extends Enum<E>> E choice(
            String option, Class<E> type, String value, Function<String, ParameterException> bad) {
        try {
            return Converters.choice(type, value);
        } catch (TypeConversionException e) {
            throw bad.apply(option + ": " + e.getMessage());
        }
    }
}
