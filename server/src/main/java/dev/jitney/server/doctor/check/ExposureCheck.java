package dev.jitney.server.doctor.check;

import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.metrics.MetricsAccess;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.server.ServerOptions;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;

/** Settings that others can use against the server: test mode, console, metrics, idle connections, deletions. */
final class ExposureCheck implements Check {
    @Override
    public String name() {
        return "exposure";
    }

    @Override
    public void run(Installation of, Findings to) {
        ServerOptions options = of.options();
        boolean exposed = options.isExposed();
        if (options.testMode() == TestModeAccess.ANY && exposed) {
            to.fault(
                    "--test-mode ANY lets all who can connect control the server without a key.",
                    "Remove --test-mode.");
        } else if (options.testMode() != TestModeAccess.OFF) {
            to.warning("--test-mode lets programs control the server without a key.", "Use it for tests only.");
        }
        if (options.console() == ConsoleAccess.ON && exposed) {
            to.advice(
                    "The web console is offered to all who can connect.",
                    "Use --console loopback or off unless operators need it from other machines.");
        }
        if (exposed && options.metrics().accessOn(options.host()) == MetricsAccess.OPEN) {
            to.warning(
                    "All who can connect can read the names of entities at /metrics.",
                    "Use --metrics authorized or off.");
        }
        if (exposed && !options.closeIdle()) {
            to.advice("Idle connections stay open for ever.", "Add --close-idle.");
        }
        if (exposed && !Boolean.TRUE.equals(options.deletionLock())) {
            to.advice(
                    "Clients with the right to Manage can delete entities with their messages.",
                    "Add --deletion-lock if no client has to delete entities.");
        }
        if (to.isClean()) {
            to.ok("No setting gives more access than needed.");
        }
    }
}
