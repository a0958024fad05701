package dev.jitney.server.doctor.check;

import dev.jitney.server.ServerOptions;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import org.jspecify.annotations.Nullable;

/** Ports without TLS that other machines can reach. */
final class PortsCheck implements Check {
    @Override
    public String name() {
        return "ports";
    }

    @Override
    public void run(Installation of, Findings to) {
        ServerOptions options = of.options();
        if (!options.isExposed()) {
            to.ok("The ports are on " + options.host() + ", where only programs on this machine can connect.");
            return;
        }
        plain("AMQP", options.amqpPort(), options, to);
        plain("HTTP", options.httpPort(), options, to);
        if (to.isClean()) {
            to.ok("All ports on " + options.host() + " use TLS.");
        }
    }

    private static void plain(String protocol, @Nullable Integer port, ServerOptions options, Findings to) {
        if (port != null) {
            to.warning(
                    protocol + " without TLS is on port " + port + " of " + options.host()
                            + ". Others on the network can read messages.",
                    options.tls() == null
                            ? "Add --tls CERT,KEY or --tls auto:HOST; the plain ports are then off."
                            : "Remove the option for this port, or set it to off.");
        }
    }
}
