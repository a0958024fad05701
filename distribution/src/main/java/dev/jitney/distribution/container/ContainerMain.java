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
 * The command {@code jitney} of the image, in which there is no shell: does what the launcher of the archives does.
 *
 * <p>{@code /usr/bin/jitney} is a text whose first line names Java as the program to run it with. So the kernel starts Java
 * with that file as the first argument, and the user's arguments behind it.
 */
public final class ContainerMain {
    private static final List<String> SERVER_COMMANDS = List.of("server", "health");
    private static final Map<String, String> TOOLS = Map.of(
            "bench", "Measure from another machine",
            "simulate", "The simulator needs no server",
            "crash", "The crash tests start servers of their own",
            "fuzz", "The fuzzing starts servers of its own");

    private ContainerMain() {}

    /** Runs the process; the first argument is the path of the command itself. */
    public static void main(String[] args) {
        String[] own = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        String command = own.length == 0 ? "" : own[0];
        String advice = TOOLS.get(command);
        if (advice != null) {
            System.err.println("jitney: " + command + " is a tool for developers and not in this image. " + advice
                    + ", out of the source tree: ./jitney " + command);
            System.exit(1);
        }
        if (SERVER_COMMANDS.contains(command)) {
            JitneyCli.main(own);
            return;
        }
        if (terminal(2)) {
            System.setProperty("jitney.terminal", "true");
            if (terminal(0)) {
                System.setProperty("jitney.questions", "true");
            }
        }
        JitneyCommands.main(own);
    }

    /** Whether somebody watches a stream, which Java cannot tell of one stream alone. */
    private static boolean terminal(int stream) {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
            return target.startsWith("/dev/pts/") || target.equals("/dev/console") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false; // Without /proc nobody is asked.
        }
    }
}
