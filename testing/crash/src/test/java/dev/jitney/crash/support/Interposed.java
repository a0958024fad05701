package dev.jitney.crash.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/**
 * A library between a server and its operating system ({@code interposed.c}). It can set the server's clock and slow
 * down its disk while the server runs, and lists the files that the server syncs. Requires Linux and a C compiler.
 */
public final class Interposed {
    private static final String REASON = "Expected to compile a library for Linux with cc, but: ";
    private static final int CLOCK = 0;
    private static final int SYNC = 8;

    private final Path library;
    private final Path control;
    private final Path synced;
    private final MappedByteBuffer values;

    private Interposed(Path library, Path control, MappedByteBuffer values) {
        this.library = library;
        this.control = control;
        this.synced = control.resolveSibling("interposed.synced");
        this.values = values;
    }

    /**
     * Compiles the library. Where that is not possible, the test is skipped with the reason, or fails if
     * JITNEY_CI=true.
     */
    public static Interposed compile(Path directory) throws IOException, InterruptedException {
        Path library = directory.resolve("interposed.so");
        String problem = build(directory, library);
        Assumptions.assumeTrue(problem.isEmpty(), () -> REASON + problem);
        return control(library, directory.resolve("interposed.control"));
    }

    /**
     * Compiles the library for several processes, each with a clock and a disk of its own. Returns an empty list where that is
     * not possible, and prints the reason; it is an error if JITNEY_CI=true.
     */
    public static List<Interposed> compileFor(Path directory, int processes) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path library = directory.resolve("interposed.so");
        String problem = build(directory, library);
        if (!problem.isEmpty()) {
            System.out.println(REASON + problem);
            return List.of();
        }
        List<Interposed> all = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            Path own = Files.createDirectories(directory.resolve(String.valueOf(i)));
            all.add(control(library, own.resolve("interposed.control")));
        }
        return List.copyOf(all);
    }

    /** Returns the problem, or an empty string. */
    private static String build(Path directory, Path library) throws IOException, InterruptedException {
        Path source = directory.resolve("interposed.c");
        try (InputStream in = Objects.requireNonNull(Interposed.class.getResourceAsStream("interposed.c"))) {
            Files.copy(in, source);
        }
        String problem = Command.run(
                List.of("cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl"));
        if (Boolean.parseBoolean(System.getenv("JITNEY_CI"))) {
            assertThat(problem).as("output of cc").isEmpty();
        }
        return problem;
    }

    private static Interposed control(Path library, Path control) throws IOException {
        Files.write(control, new byte[2 * Long.BYTES]);
        try (FileChannel channel = FileChannel.open(control, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer values = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * Long.BYTES);
            values.order(ByteOrder.nativeOrder());
            return new Interposed(library, control, values);
        }
    }

    /** Returns the beginning of a command that starts a process with this library. The process does not list synced files. */
    public List<String> prefix() {
        return List.of("env", "LD_PRELOAD=" + library, "INTERPOSED_CONTROL=" + control);
    }

    /** Returns options that start a server with this library. */
    public ServerProcess.Options around(ServerProcess.Options options) {
        return options.environment("LD_PRELOAD", library.toString())
                .environment("INTERPOSED_CONTROL", control.toString())
                .environment("INTERPOSED_SYNCED", synced.toString());
    }

    /** Returns the files and directories that servers have synced since the last {@link #forgetSynced}, in order. */
    public List<Path> synced() throws IOException {
        return Files.readAllLines(synced).stream().map(Path::of).toList();
    }

    /** Empties the list of synced files. */
    public void forgetSynced() throws IOException {
        Files.writeString(synced, "");
    }

    /** Sets the server's clock ahead of the real one, or behind it for a negative offset. */
    public void clockAhead(Duration offset) {
        values.putLong(CLOCK, offset.toNanos());
    }

    /** Sets the additional time for each sync of the server. */
    public void syncsTake(Duration delay) {
        values.putLong(SYNC, delay.toNanos());
    }
}
