package dev.jitney.server.cli;

import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * A runner that starts a server, prints a report, and serves until the process receives a signal to stop.
 *
 * <p>SIGTERM and SIGINT make the JVM run its shutdown hooks and then exit with 143 or 130, regardless of the hooks. A
 * drained server has stopped normally, so the hook ends the process itself with status 0; {@code halt} is the only way
 * to do that from a hook.
 *
 * <p>On request the server also stops at the end of standard input. The system closes that when the program that started
 * the server has ended, even if it was killed. So no server outlives its test.
 */
final class ForegroundRunner implements ServerRunner {
    private static final int DISCARDED_BYTES = 512;

    private final PrintStream out;
    private final InputStream in;
    private final CountDownLatch inputEnded = new CountDownLatch(1);

    ForegroundRunner(PrintStream out, InputStream in) {
        this.out = out;
        this.in = in;
    }

    @Override
    public int run(JitneyServerBuilder builder, boolean configured, boolean exitWithInput) throws StartException {
        JitneyServer server = builder.build().start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "jitney-stop"));
        StartReport.print(server, configured, out);
        if (exitWithInput) {
            Thread reader = new Thread(this::readInput, "jitney-input");
            reader.setDaemon(true);
            reader.start();
        }
        try {
            inputEnded.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    /** Reads and drops everything until the end. */
    private void readInput() {
        byte[] dropped = new byte[DISCARDED_BYTES];
        try {
            while (in.read(dropped) >= 0) {
                // Only the end counts.
            }
        } catch (IOException e) {
            // An input that cannot be read has ended, too.
        }
        inputEnded.countDown();
    }

    private void stop(JitneyServer server) {
        server.close(
                inputEnded.getCount() == 0
                        ? "Standard input has ended, and --exit-with-input is set."
                        : "The process received a signal to stop, such as SIGTERM or Ctrl-C.");
        out.println("Jitney has stopped.");
        out.flush();
        Runtime.getRuntime().halt(0);
    }
}
