package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests about stored messages without locks. */
public final class StoredRequests {

    private StoredRequests() {}

    /** A request to cancel scheduled messages. */
    public static final class Cancel extends Request {
        public final long[] numbers;
        public final boolean[] cancelled;

        /** For each message, whether it may have been published instead. */
        public final boolean[] perhaps;

        public Cancel(Judge judge, String path, long[] numbers) {
            super(judge, path);
            this.numbers = numbers;
            this.cancelled = new boolean[numbers.length];
            this.perhaps = new boolean[numbers.length];
        }

        @Override
        public @Nullable StoredEntity part(StoredEntity.Lookup entities) {
            return entities.of(path, numbers[0]);
        }

        @Override
        public int credits() {
            return 1;
        }

        @Override
        public void done(Reply reply) {
            for (int i = 0; i < numbers.length; i++) {
                long number = numbers[i];
                check(
                        cancelled[i] || perhaps[i],
                        () -> "Expected message " + number + " to be canceled, but it is stored",
                        this);
            }
        }

        @Override
        public void undone(Rejection rejection) {
            for (boolean one : cancelled) {
                check(!one, () -> "Expected no effect of a rejected cancellation, but got " + rejection, this);
            }
        }

        @Override
        public String toString() {
            return "Cancel of " + Arrays.toString(numbers) + " on " + path;
        }
    }

    /** A request to delete the oldest messages. */
    public static final class Purge extends Request {
        private final ModelState model;
        public final Lane lane;
        public final int countMax;
        public int count;

        /** The number of removed messages that had also expired. */
        public int perhaps;

        public Purge(Judge judge, ModelState model, String path, Lane lane, int countMax) {
            super(judge, path);
            this.model = model;
            this.lane = lane;
            this.countMax = countMax;
        }

        @Override
        public int credits() {
            return 1;
        }

        @Override
        public void done(Reply reply) {
            check(
                    !model.entities().isPartitioned(path),
                    "Expected a rejection of batch deletes on partitioned entities (PURGE-2)",
                    this);
            int told = ((Reply.Deleted) reply).count();
            passOn(told);
            boolean right = told >= count && told <= count + perhaps;
            check(right, () -> "Expected " + count + " deleted messages, but the reply says " + told, this);
        }

        /**
         * Moves surplus deleted messages to the next batch delete. With several batch deletes in one batch of rows, the
         * model counts all deleted messages for the first. The surplus messages must then be in the reply to the next
         * one.
         */
        private void passOn(int told) {
            for (Request request : model.open()) {
                if (request instanceof Purge next
                        && next.born > born
                        && next.mayTakeEffect()
                        && next.lane == lane
                        && next.path.equals(path)) {
                    next.count += Math.max(0, count - told);
                    next.perhaps += Math.max(0, perhaps - Math.max(0, told - count));
                    count = Math.min(count, told);
                    return;
                }
            }
        }

        @Override
        public void undone(Rejection rejection) {
            check(count == 0, () -> "Expected no effect of a rejected batch delete, but got " + rejection, this);
        }
    }

    /** A request for deferred messages by number: all of them or none. */
    public static final class Fetch extends Request {
        private final Deliveries deliveries;
        public final Lane lane;
        public final long[] numbers;
        public final ReceiveMode mode;
        final Listener owner;
        public int taken;

        public Fetch(
                Judge judge,
                Deliveries deliveries,
                String path,
                Lane lane,
                long[] numbers,
                ReceiveMode mode,
                Listener owner) {
            super(judge, path);
            this.lane = lane;
            this.numbers = numbers;
            this.mode = mode;
            this.owner = owner;
            this.deliveries = deliveries;
        }

        public boolean names(long number) {
            for (long one : numbers) {
                if (one == number) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public @Nullable StoredEntity part(StoredEntity.Lookup entities) {
            return entities.of(path, numbers[0]);
        }

        @Override
        public int credits() {
            return numbers.length;
        }

        @Override
        public boolean isRefusable() {
            return true;
        }

        @Override
        public void done(Reply reply) {
            deliveries.fetched(this, ((Reply.Messages) reply).messages());
        }

        @Override
        public void undone(Rejection rejection) {
            check(taken == 0, () -> "Expected no effect of a rejected fetch, but got " + rejection, this);
        }

        @Override
        public String toString() {
            return "Fetch of " + Arrays.toString(numbers) + " on " + path;
        }
    }

    /** A request to peek messages. */
    public static final class Peek extends Request {
        private final Answers answers;
        public final Lane lane;
        final long from;
        public final int countMax;

        public Peek(Answers answers, String path, Lane lane, long from, int countMax) {
            super(answers, path);
            this.answers = answers;
            this.lane = lane;
            this.from = from;
            this.countMax = countMax;
        }

        @Override
        public boolean isAboutState() {
            return answers.isOfSomeFragment(path, from);
        }

        @Override
        public int credits() {
            return 1;
        }

        @Override
        public boolean isRefusable() {
            return true;
        }

        @Override
        public void done(Reply reply) {
            List<MessageView> messages = ((Reply.Messages) reply).messages();
            answers.peeked(this, messages);
        }

        @Override
        public void undone(Rejection rejection) {}
    }
}
