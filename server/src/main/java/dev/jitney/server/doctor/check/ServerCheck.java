package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import dev.jitney.server.doctor.Probe;
import java.io.IOException;
import java.net.URI;

/** The health of running servers. */
final class ServerCheck implements Check {
    private static final int READY = 200;

    @Override
    public String name() {
        return "server";
    }

    @Override
    public void run(Installation of, Findings to) {
        if (of.urls().isEmpty()) {
            to.ok(
                    of.process().running()
                            ? "A server holds the data directory, and no URL is known for its health."
                            : "No server uses the data directory. The files are checked.");
        }
        for (URI url : of.urls()) {
            try {
                check(url, Probe.health(url), to);
            } catch (IOException e) {
                to.fault(
                        "No server answers at " + url + " (" + e.getMessage() + ").",
                        "Start the server, or name the URL of its port for HTTP with --url.");
            }
        }
    }

    private static void check(URI url, Probe.Answer answer, Findings to) {
        if (answer.status() != READY) {
            to.fault(
                    "The server at " + url + " is not ready (" + answer.status() + "): " + answer.body(),
                    "See the log of the server, and docs/guides/troubleshooting.md.");
        } else if (answer.body().contains("\"degraded\":true")) {
            to.warning(
                    "The server at " + url + " is degraded: " + answer.body(),
                    "See docs/guides/troubleshooting.md, and jitney store list.");
        } else {
            to.ok("The server at " + url + " is ready.");
        }
    }
}
