package dev.jitney.server.cli;

import dev.jitney.runtime.client.ClientLimits;
import dev.jitney.server.JitneyServerBuilder;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that limit the clients with one address or one access rule. */
final class ClientLimitOptions {
    @Option(
            names = "--address-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Limit of open connections of one IP address, or of one /64 prefix of IPv6; 0 = no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private int connections = ClientLimits.DEFAULT.connections();

    @Option(
            names = "--address-connection-rate",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Limit of new connections per second of one address on average; "
                    + ClientLimits.BURST_SECONDS + " times as many may come at once. 0 = no limit (default:"
                    + " ${DEFAULT-VALUE}).")
    private int rate = ClientLimits.DEFAULT.connectionsPerSecond();

    @Option(
            names = "--address-failures",
            paramLabel = "N",
            defaultValue = "300",
            description = "Refused keys and signatures of one address in a minute after which Jitney checks no more of"
                    + " them for a time that grows from 1 to 60 seconds; a tenth of it for one rule name. 0 = no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private int failures = ClientLimits.DEFAULT.failures();

    @Option(
            names = "--credential-connections",
            paramLabel = "N",
            defaultValue = "0",
            description = "Limit of open AMQP connections of one access rule of a namespace, whatever their addresses;"
                    + " 0 = no limit (default: ${DEFAULT-VALUE}).")
    private int credentialConnections = ClientLimits.DEFAULT.credentialConnections();

    /**
     * Sets the options of a server.
     *
     * @param bad makes the exception of invalid options
     */
    void addTo(JitneyServerBuilder builder, Function<String, ParameterException> bad) {
        check("--address-connections", connections, bad);
        check("--address-connection-rate", rate, bad);
        check("--address-failures", failures, bad);
        check("--credential-connections", credentialConnections, bad);
        builder.clientLimits(new ClientLimits(connections, rate, failures, credentialConnections));
    }

    private static void check(String option, int value, Function<String, ParameterException> bad) {
        if (value < 0) {
            throw bad.apply(option + ": Expected 0 or more (0 = no limit), but got " + value + ".");
        }
    }
}
