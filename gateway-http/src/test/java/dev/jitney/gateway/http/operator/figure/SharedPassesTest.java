package dev.jitney.gateway.http.operator.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Passes over all entities that requests share")
class SharedPassesTest {
    private static final int TURNS = 3;
    private static final long TURN_MS = 20;

    private final Queue<Task> tasks = new ArrayDeque<>();
    private final List<Counted> passes = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private long nowMs;

    private final SharedPasses<Counted> shared =
            new SharedPasses<>((ms, task) -> tasks.add(new Task(ms, task)), () -> TimeUnit.MILLISECONDS.toNanos(nowMs));

    private record Task(long ms, Runnable work) {}

    /** A pass of some turns, each of which takes a time. */
    private final class Counted implements SharedPasses.Pass {
        final String key;
        final boolean fails;
        int turns;

        Counted(String key, boolean fails) {
            this.key = key;
            this.fails = fails;
            passes.add(this);
        }

        @Override
        public boolean proceed() {
            nowMs += TURN_MS;
            turns++;
            if (fails) {
                throw new IllegalStateException("broken");
            }
            return turns < TURNS;
        }
    }

    private Runnable request(String client, String key) {
        return shared.run(
                client,
                key,
                () -> new Counted(key, key.equals("broken")),
                pass -> answers.add(client + " " + pass.key),
                failure -> answers.add(client + " failed"));
    }

    /** Runs the next task, and returns the time before it. */
    private long turn() {
        Task next = tasks.remove();
        next.work().run();
        return next.ms();
    }

    private void finish() {
        while (!tasks.isEmpty()) {
            turn();
        }
    }

    private List<String> passKeys() {
        return passes.stream().map(pass -> pass.key).toList();
    }

    @Test
    @DisplayName(
            "QUOTA-8: equal requests during a pass share the next one, however many there are, and each answer has a turn")
    void share() {
        request("a", "table");
        assertThat(answers).as("after one turn").isEmpty();
        for (int i = 0; i < 100; i++) {
            request("b", "table");
        }
        assertThat(passes).hasSize(1);
        turn();
        turn();
        assertThat(answers).containsExactly("a table");
        while (answers.size() == 1) {
            turn();
        }
        assertThat(passes).hasSize(2);
        assertThat(answers).hasSize(2);
        turn();
        assertThat(answers).hasSize(3);
        finish();
        assertThat(answers).hasSize(101);
        assertThat(passes).hasSize(2);
    }

    @Test
    @DisplayName("QUOTA-8: after a pass, the event loop serves other requests for three times its duration")
    void rest() {
        request("a", "table");
        turn();
        turn();
        request("a", "table");
        assertThat(turn()).as("to the end of the answers").isEqualTo(SharedPasses.TURN_PAUSE_MS);
        assertThat(passes).hasSize(1);
        assertThat(turn()).isEqualTo(SharedPasses.REST_FACTOR * TURNS * TURN_MS);
        assertThat(passes).hasSize(2);
    }

    @Test
    @DisplayName("QUOTA-8: the pass of a client comes before further passes of another one")
    void turns() {
        for (int i = 0; i < 5; i++) {
            request("greedy", "overview " + i);
        }
        request("other", "table");
        finish();
        assertThat(passKeys())
                .containsExactly("overview 0", "table", "overview 1", "overview 2", "overview 3", "overview 4");
        assertThat(answers).hasSize(6);
    }

    @Test
    @DisplayName("requests that have ended cause no pass, and end the one that runs for them alone")
    void ended() {
        Runnable running = request("a", "table");
        Runnable waiting = request("a", "overview");
        running.run();
        waiting.run();
        finish();
        assertThat(passes)
                .singleElement()
                .satisfies(pass -> assertThat(pass.turns).isLessThan(TURNS));
        assertThat(answers).isEmpty();
        request("a", "table");
        finish();
        assertThat(answers).containsExactly("a table");
    }

    @Test
    @DisplayName("a pass that fails fails its requests, and others continue")
    void failed() {
        request("a", "table");
        request("b", "broken");
        request("c", "broken");
        request("d", "overview");
        finish();
        assertThat(answers).containsExactly("a table", "b failed", "c failed", "d overview");
    }
}
