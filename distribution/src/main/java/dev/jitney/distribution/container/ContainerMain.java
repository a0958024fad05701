package dev.jitney.distribution.container;

import dev.jitney.cli.JitneyCommands;
import dev.jitney.server.cli.JitneyCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The command {@code jitney} of the image, which has no shell. It replaces the launcher of the archives.
 *
 * <p>{@code /usr/bin/jitney} is a text file whose first line names Java as its interpreter. The kernel starts Java with that file
 * as the first argument, followed by the user's arguments.
 */
public final class ContainerMain {
    /** The commands that the program of the server has. All others are those of the command line. */
    public static final List<String> SERVER_COMMANDS = List.of("server", "health", "doctor", "cluster", "backup");

    private static final Map<String, String> TOOLS = Map.of(
            "bench", "Measure from another machine",
            "simulate", "The simulator needs no server",
            "crash", "The crash tests start their own servers",
            "fuzz", "The fuzz tests start their own servers",
            "audit-dependencies", "It compares the libraries of a build");

    private ContainerMain() {}

    /** Runs the command. The first argument is the path of the command itself. */
    public static void main(String[] args) {
        String[] own = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        String command = own.length == 0 ? "" : own[0];
        String advice = TOOLS.get(command);
        if (advice != null) {
            System.err.println("jitney: " + command + " is a developer tool and not in this image. " + advice
                    + ". Run it from the source tree: ./jitney " + command);
            System.exit(1);
        }
        if (SERVER_COMMANDS.contains(command)) {
            JitneyCli.main(own);
            return;
        }
        if (terminal(1)) {
            System.setProperty("jitney.screen", "true");
        }
        if (terminal(2)) {
            System.setProperty("jitney.terminal", "true");
            if (terminal(0)) {
                System.setProperty("jitney.questions", "true");
            }
        }
        JitneyCommands.main(own);
    }

    /** Returns whether a stream is a terminal, which Java cannot check for a single stream. */
    private static boolean terminal(int stream) {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
            return target.startsWith("/dev/pts/") || target.equals("/dev/console") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false; // Without /proc there is no confirmation.
        }
    }
}
