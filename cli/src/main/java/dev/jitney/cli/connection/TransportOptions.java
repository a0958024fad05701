package dev.jitney.cli.connection;

import com.azure.core.amqp.AmqpTransportType;
import dev.jitney.cli.output.Failure;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.MessagingFactoryBuilder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how namespaces are reached, whichever they are. */
public final class TransportOptions {
    @Option(
            names = "--ca",
            paramLabel = "FILE",
            order = 902,
            description = "PEM file of certificates to trust besides the usual ones (JITNEY_CA): D/tls/ca.pem of a"
                    + " server with --tls auto.")
    private @Nullable Path ca;

    @Option(
            names = "--transport",
            paramLabel = "HOW",
            order = 903,
            description = "How messages travel: amqp, or websockets where only port 443 is open (JITNEY_TRANSPORT)."
                    + " Default: amqp.")
    private String transport = "amqp";

    /** Trusts whom the options name, in the whole process. */
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

    /** A namespace for the library that pairs them. Nothing is connected yet. */
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
