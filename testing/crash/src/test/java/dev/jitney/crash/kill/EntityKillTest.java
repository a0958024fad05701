package dev.jitney.crash.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills the server with {@code kill -9} during entity changes. Each acknowledged change must be stored, and
 * no change may be stored partially.
 */
final class EntityKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.rounds", 6);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());

    @TempDir
    Path directory;

    /**
     * The minimum number of replies; fewer prove little. The last round continues until they arrive, also on a slow
     * machine.
     */
    private static final int ENOUGH = ROUNDS * 20;

    /** The exit status of a process that was ended by SIGKILL. */
    private static final int KILLED = 128 + 9;

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Random random = new Random(SEED);
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean killed;

    @Test
    @DisplayName("entity changes are atomic and survive kill -9 (issues 3 and 6)")
    void changesSurviveBeingKilled() throws Exception {
        EntityModel model = new EntityModel();
        EntityChange pending = null;
        for (int round = 0; round <= ROUNDS; round++) {
            Process process = launch();
            killed = false;
            try (Writer asks = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
                    BufferedReader tells = new BufferedReader(
                            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(tells.readLine()).isEqualTo(EntityHost.READY);
                model = compared(shown(asks, tells), model, pending, round);
                if (round < ROUNDS) {
                    pending = changeUntilKilled(process, asks, tells, model, round == ROUNDS - 1);
                }
            } catch (IOException brokenPipe) {
                // The streams may be closed after the kill was requested and before the process has ended.
                if (!killed) {
                    throw brokenPipe;
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
            assertThat(process.exitValue()).as("seed %d, round %d", SEED, round).isEqualTo(KILLED);
        }
        System.out.printf("%d rounds, seed %d: %d answers%n", ROUNDS, SEED, answers.get());
        assertThat(answers.get()).as("answers").isGreaterThan(ENOUGH);
    }

    /**
     * Compares the store with the model.
     *
     * @return the stored entities: all acknowledged changes, with or without the pending change
     */
    private static EntityModel compared(
            List<String> shown, EntityModel model, @Nullable EntityChange pending, int round) {
        EntityModel changed = model.copy();
        if (pending != null) {
            changed.apply(pending);
        }
        assertThat(shown)
                .as("seed %d, after the restart of round %d, with %s pending", SEED, round, pending)
                .isIn(model.lines(), changed.lines());
        return shown.equals(model.lines()) ? model : changed;
    }

    /**
     * Makes changes until the process is killed.
     *
     * @return the requested change that has no reply, or null
     */
    private @Nullable EntityChange changeUntilKilled(
            Process process, Writer asks, BufferedReader tells, EntityModel model, boolean isLast) {
        long killAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(900));
        Thread killer = new Thread(() -> {
            for (long left = 1; left > 0; left = killAt - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            while (isLast && answers.get() <= ENOUGH && System.nanoTime() < killAt + PATIENCE_NANOS) {
                LockSupport.parkNanos(TICK_NANOS);
            }
            killed = true;
            process.destroyForcibly();
        });
        killer.start();
        while (true) {
            EntityChange change = EntityModel.random(random);
            String answer;
            try {
                ask(asks, change.toLine());
                answer = tells.readLine();
            } catch (IOException killed) {
                return change;
            }
            if (answer == null) {
                return change;
            }
            answers.incrementAndGet();
            assertThat(answer).as("seed %d, %s", SEED, change).isEqualTo(model.apply(change));
        }
    }

    private static List<String> shown(Writer asks, BufferedReader tells) throws IOException {
        ask(asks, EntityHost.SHOW);
        List<String> lines = new ArrayList<>();
        for (String line = tells.readLine(); !EntityHost.END.equals(line); line = tells.readLine()) {
            assertThat(line).isNotNull();
            lines.add(line);
        }
        return lines;
    }

    private static void ask(Writer asks, String line) throws IOException {
        asks.write(line + "\n");
        asks.flush();
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EntityHost.class.getName()));
        command.add(directory.resolve("data").toString());
        return new ProcessBuilder(command)
                .redirectError(directory.resolve("server.log").toFile())
                .start();
    }
}
