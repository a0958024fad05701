package dev.jitney.server.cli;

import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * A runner that starts a server, prints a report, and serves until the process receives a signal to stop.
 *
 * <p>SIGTERM and SIGINT make the JVM run its shutdown hooks and then exit with 143 or 130, regardless of the hooks. A
 * drained server has stopped normally, so the hook ends the process itself with status 0; {@code halt} is the only way
 * to do that from a hook.
 */
final class ForegroundRunner implements ServerRunner {
    private final PrintStream out;

    ForegroundRunner(PrintStream out) {
        this.out = out;
    }

    @Override
    public int run(JitneyServerBuilder builder, boolean configured) throws StartException {
        JitneyServer server = builder.build().start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "jitney-stop"));
        StartReport.print(server, configured, out);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private void stop(JitneyServer server) {
        server.close("The process received a signal to stop, such as SIGTERM or Ctrl-C.");
        out.println("Jitney has stopped.");
        out.flush();
        Runtime.getRuntime().halt(0);
    }
}
