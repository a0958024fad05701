package dev.jitney.cli.connection;

import com.azure.core.amqp.AmqpTransportType;
import dev.jitney.cli.output.Failure;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.MessagingFactoryBuilder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how to connect to a namespace. */
public final class TransportOptions {
    @Option(
            names = "--ca",
            paramLabel = "FILE",
            order = 902,
            description = "PEM file with additional certificates to trust (JITNEY_CA), for example D/tls/ca.pem of a"
                    + " server with --tls auto. Default: only the trusted certificates of Java.")
    private @Nullable Path ca;

    @Option(
            names = "--transport",
            paramLabel = "HOW",
            order = 903,
            description = "Transport for messages: amqp, or websockets if only port 443 is open (JITNEY_TRANSPORT)."
                    + " Default: amqp.")
    private String transport = "amqp";

    /** Adds the certificates from the option to the trusted ones of the process. */
    public void trust() {
        if (ca != null) {
            TrustedCertificates.trust(ca);
        }
    }

    AmqpTransportType type() {
        return switch (transport) {
            case "amqp" -> AmqpTransportType.AMQP;
            case "websockets" -> AmqpTransportType.AMQP_WEB_SOCKETS;
            default ->
                throw Failure.badOption("--transport: Expected amqp or websockets, but got '" + transport + "'.");
        };
    }

    /** Returns a factory builder of the library for paired namespaces. It does not connect yet. */
    public MessagingFactoryBuilder factory(NamespaceAddress address) {
        MessagingFactoryBuilder builder = MessagingFactory.builder()
                .connectionString(address.connectionString())
                .transportType(type());
        if (!address.emulator() && address.port() != null) {
            builder.customEndpoint("https://" + address.host() + ":" + address.port());
        }
        return builder;
    }
}
