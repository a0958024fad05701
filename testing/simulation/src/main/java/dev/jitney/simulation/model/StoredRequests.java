package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests about stored messages that nobody has locked. */
final class StoredRequests {

    private StoredRequests() {}

    /** Scheduled messages to be taken back. */
    static final class Cancel extends Request {
        final long[] numbers;
        final boolean[] cancelled;

        /** They may as well have been published. */
        final boolean[] perhaps;

        Cancel(Ledger ledger, String path, long[] numbers) {
            super(ledger, path);
            this.numbers = numbers;
            this.cancelled = new boolean[numbers.length];
            this.perhaps = new boolean[numbers.length];
        }

        @Override
        @Nullable
        Shelf part() {
            return ledger.shelves().of(path, numbers[0]);
        }

        @Override
        int credits() {
            return 1;
        }

        @Override
        void done(Reply reply) {
            for (int i = 0; i < numbers.length; i++) {
                long number = numbers[i];
                ledger.check(
                        cancelled[i] || perhaps[i],
                        () -> "Expected number " + number + " to be cancelled, but it is not",
                        this);
            }
        }

        @Override
        void undone(Rejection rejection) {
            for (boolean one : cancelled) {
                ledger.check(!one, () -> "Expected nothing to be cancelled, but got " + rejection, this);
            }
        }

        @Override
        public String toString() {
            return "Cancel of " + Arrays.toString(numbers) + " on " + path;
        }
    }

    /** The oldest messages to be deleted. */
    static final class Purge extends Request {
        final Lane lane;
        final int countMax;
        int count;

        /** Messages that have gone and had expired too. */
        int perhaps;

        Purge(Ledger ledger, String path, Lane lane, int countMax) {
            super(ledger, path);
            this.lane = lane;
            this.countMax = countMax;
        }

        @Override
        int credits() {
            return 1;
        }

        @Override
        void done(Reply reply) {
            ledger.check(
                    !ledger.shelves().isPartitioned(path),
                    "Expected no batch delete on partitioned entities (PURGE-2)",
                    this);
            int told = ((Reply.Deleted) reply).count();
            boolean right = told >= count && told <= count + perhaps;
            ledger.check(right, () -> "Expected " + count + " deleted messages, but was told " + told, this);
        }

        @Override
        void undone(Rejection rejection) {
            ledger.check(count == 0, () -> "Expected nothing to be deleted, but got " + rejection, this);
        }
    }

    /** Deferred messages asked for by number, all or none. */
    static final class Fetch extends Request {
        final Lane lane;
        final long[] numbers;
        final ReceiveMode mode;
        final Listener owner;
        int taken;

        Fetch(Ledger ledger, String path, Lane lane, long[] numbers, ReceiveMode mode, Listener owner) {
            super(ledger, path);
            this.lane = lane;
            this.numbers = numbers;
            this.mode = mode;
            this.owner = owner;
        }

        boolean names(long number) {
            for (long one : numbers) {
                if (one == number) {
                    return true;
                }
            }
            return false;
        }

        @Override
        @Nullable
        Shelf part() {
            return ledger.shelves().of(path, numbers[0]);
        }

        @Override
        int credits() {
            return numbers.length;
        }

        @Override
        boolean isRefusable() {
            return true;
        }

        @Override
        void done(Reply reply) {
            ledger.deliveries().fetched(this, ((Reply.Messages) reply).messages());
        }

        @Override
        void undone(Rejection rejection) {
            ledger.check(taken == 0, () -> "Expected nothing to be taken, but got " + rejection, this);
        }

        @Override
        public String toString() {
            return "Fetch of " + Arrays.toString(numbers) + " on " + path;
        }
    }

    /** A look at messages. */
    static final class Peek extends Request {
        final Lane lane;
        final long from;
        final int countMax;

        Peek(Ledger ledger, String path, Lane lane, long from, int countMax) {
            super(ledger, path);
            this.lane = lane;
            this.from = from;
            this.countMax = countMax;
        }

        @Override
        int credits() {
            return 1;
        }

        @Override
        boolean isRefusable() {
            return true;
        }

        @Override
        void done(Reply reply) {
            List<MessageView> messages = ((Reply.Messages) reply).messages();
            ledger.answers().peeked(this, messages);
        }

        @Override
        void undone(Rejection rejection) {}
    }
}
