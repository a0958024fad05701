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

/** {@code kill -9} in the middle of entity changes: what was acknowledged is there, and never half of a change. */
final class EntityKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.rounds", 6);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());

    @TempDir
    Path directory;

    /** Answers; fewer prove little. The last round goes on until there are so many, however slow the machine is. */
    private static final int ENOUGH = ROUNDS * 20;

    /** The exit status of a process that SIGKILL ended, and nothing of its own. */
    private static final int KILLED = 128 + 9;

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Random random = new Random(SEED);
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean killed;

    @Test
    @DisplayName("Issue 3, 6: entity changes are atomic and survive kill -9")
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
                // Its streams are closed when it is told to die, which may be before it is dead.
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

    /** @return what the store has: everything acknowledged, with or without the change nobody heard of any more */
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

    /** @return the change that was asked for and not answered, if there is one */
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
