package dev.jitney.core.filter;

import dev.jitney.core.filter.body.JsonPath;
import dev.jitney.core.filter.value.Value;
import java.nio.charset.StandardCharsets;

/** The nodes that read the body of a message, for searches only. */
final class BodyTests {
    /** The steps for a text, in addition to those for its bytes and for the search. */
    private static final int STEPS_PER_TEXT = 16;

    /** The bytes that are copied in one step. */
    private static final int BYTES_PER_STEP = 2;

    private BodyTests() {}

    /**
     * A test for a text in the body, case-sensitively.
     *
     * @param length the bytes of the sought text
     * @param search the sought bytes, each as one character, so that bytes can be searched like texts
     */
    record Contains(int length, TextSearch search, boolean negated) implements Node {
        static Contains of(String sought, boolean negated) {
            byte[] bytes = sought.getBytes(StandardCharsets.UTF_8);
            return new Contains(bytes.length, new TextSearch(new String(bytes, StandardCharsets.ISO_8859_1)), negated);
        }

        @Override
        public Value evaluate(Evaluation evaluation) {
            StepBudget steps = evaluation.steps();
            Value found = evaluation.body().contains((bytes, from, to) -> isIn(bytes, from, to, steps), steps);
            if (steps.isExceeded()) {
                return StepBudget.exceeded();
            }
            return found.isError() ? found : Value.of(found.isTrue() != negated);
        }

        private boolean isIn(byte[] bytes, int from, int to, StepBudget steps) {
            if (to - from < length || !steps.take(STEPS_PER_TEXT + (to - from) / BYTES_PER_STEP)) {
                return false;
            }
            String text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            return search.find(text, 0, text.length(), steps) >= 0;
        }
    }

    /** A value of the body as JSON: {@code json('$.order.id')}. */
    record Json(JsonPath path) implements Node {
        @Override
        public Value evaluate(Evaluation evaluation) {
            StepBudget steps = evaluation.steps();
            Value value = evaluation.body().json(path, steps);
            return steps.isExceeded() ? StepBudget.exceeded() : value;
        }
    }
}
