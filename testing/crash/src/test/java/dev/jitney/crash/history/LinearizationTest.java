package dev.jitney.crash.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.history.Linearization.Call;
import dev.jitney.crash.history.Linearization.Step;
import dev.jitney.crash.history.Linearization.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the search for a linearization. */
final class LinearizationTest {
    private static final int HISTORIES = 20_000;
    private static final int CALLS_MAX = 6;
    private static final long SEED = Long.getLong("jitney.crash.seed", 4711);

    @Test
    @DisplayName("gives the answer of a search through all orders of the calls, for random histories of a register")
    void likeAllOrders() {
        Random random = new Random(SEED);
        int possible = 0;
        for (int i = 0; i < HISTORIES; i++) {
            List<Call<Integer>> calls = new ArrayList<>();
            for (int n = 1 + random.nextInt(CALLS_MAX); n > 0; n--) {
                long invoked = random.nextInt(12);
                Type type = Type.values()[random.nextInt(3)];
                long returned = type == Type.OPTIONAL ? Operation.NEVER : invoked + 1 + random.nextInt(6);
                calls.add(new Call<>(invoked, returned, type, step(type, random)));
            }
            boolean expected = existsSlowly(calls, new ArrayList<>(), 0);
            assertThat(new Linearization<>(calls).exists(0))
                    .as("seed %d, history %d: %s", SEED, i, calls)
                    .isEqualTo(expected);
            possible += expected ? 1 : 0;
        }
        assertThat(possible).as("histories of both kinds").isBetween(HISTORIES / 10, HISTORIES * 9 / 10);
    }

    /** Returns a write, a change of one value to another, or a read. */
    private static Step<Integer> step(Type type, Random random) {
        int one = random.nextInt(3);
        int other = random.nextInt(3);
        if (type == Type.OBSERVATION) {
            return state -> state == one ? state : null;
        }
        return random.nextBoolean() ? state -> one : state -> state == one ? other : null;
    }

    /** Tries each call that no other one precedes, and leaves out each optional one. */
    private static boolean existsSlowly(List<Call<Integer>> calls, List<Integer> done, int state) {
        boolean complete = true;
        for (int i = 0; i < calls.size(); i++) {
            if (!done.contains(i) && !calls.get(i).isOptional()) {
                complete = false;
            }
        }
        if (complete) {
            return true;
        }
        for (int i = 0; i < calls.size(); i++) {
            if (done.contains(i) || isPreceded(calls, done, i)) {
                continue;
            }
            Integer next = calls.get(i).step().after(state);
            if (next != null) {
                List<Integer> more = new ArrayList<>(done);
                more.add(i);
                if (existsSlowly(calls, more, next)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isPreceded(List<Call<Integer>> calls, List<Integer> done, int of) {
        for (int i = 0; i < calls.size(); i++) {
            if (!done.contains(i)
                    && !calls.get(i).isOptional()
                    && calls.get(i).returned() < calls.get(of).invoked()) {
                return true;
            }
        }
        return false;
    }
}
