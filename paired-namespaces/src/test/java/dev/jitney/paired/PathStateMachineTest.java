package dev.jitney.paired;

import static dev.jitney.paired.Pair.failure;
import static dev.jitney.paired.Pair.message;
import static dev.jitney.paired.PathState.CLOSED;
import static dev.jitney.paired.PathState.FAILED_OVER;
import static dev.jitney.paired.PathState.HEALTHY;
import static dev.jitney.paired.PathState.SUSPECT;
import static dev.jitney.paired.PathState.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the table of 18.2: given a state, when an event happens, then a state and effects. */
final class PathStateMachineTest {
    private static final Duration PING = Duration.ofMinutes(1);

    enum Event {
        SEND_OK(world -> world.contoso().heal(), World::send),
        COMMUNICATION_FAILURE(world -> world.contoso().fail(SdkErrors::communication), World::send),
        OTHER_FAILURE(world -> world.contoso().fail(SdkErrors::tooLarge), World::send),
        FAILOVER_INTERVAL_PASSES(world -> {}, world -> world.pair.clock.advance(Duration.ofMinutes(1))),
        SEND(world -> {}, World::send),
        PING_OK(world -> world.contoso().heal(), world -> world.pair.clock.advance(PING)),
        PING_FAILS_TRANSIENT(
                world -> world.contoso().fail(SdkErrors::communication), world -> world.pair.clock.advance(PING)),
        PING_FAILS_FOR_GOOD(
                world -> world.contoso().fail(SdkErrors::notFound), world -> world.pair.clock.advance(PING)),
        MARK_HEALTHY(world -> {}, world -> world.pair.primary.markPathHealthy("ORDERS")),
        CLOSE(world -> {}, world -> world.pair.primary.close()),
        FAULT(world -> {}, world -> world.pair.primary.fault(new IllegalStateException("test")));

        final Consumer<World> before;
        final Consumer<World> happens;

        Event(Consumer<World> before, Consumer<World> happens) {
            this.before = before;
            this.happens = happens;
        }
    }

    /** The result of a send. */
    enum Outcome {
        NONE,
        ARRIVED,
        DIVERTED,
        FAILED,
        REFUSED
    }

    record Row(
            PathState from,
            Event event,
            FailureClassifier classifier,
            Duration failoverInterval,
            PathState to,
            Outcome outcome,
            int pings,
            int timers) {
        @Override
        public String toString() {
            return from + " + " + event + " (" + classifier + ", " + failoverInterval + ") -> " + to + ", " + outcome;
        }
    }

    private static Row row(PathState from, Event event, PathState to, Outcome outcome, int pings, int timers) {
        return row(from, event, FailureClassifier.SEED, to, outcome, pings, timers);
    }

    private static Row row(
            PathState from,
            Event event,
            FailureClassifier classifier,
            PathState to,
            Outcome outcome,
            int pings,
            int timers) {
        return new Row(from, event, classifier, Duration.ofMinutes(1), to, outcome, pings, timers);
    }

    static Row[] rows() {
        FailureClassifier legacy = FailureClassifier.LEGACY;
        return new Row[] {
            row(HEALTHY, Event.SEND_OK, HEALTHY, Outcome.ARRIVED, 0, 0),
            row(HEALTHY, Event.COMMUNICATION_FAILURE, SUSPECT, Outcome.FAILED, 0, 1),
            row(HEALTHY, Event.COMMUNICATION_FAILURE, legacy, SUSPECT, Outcome.FAILED, 0, 1),
            row(HEALTHY, Event.OTHER_FAILURE, HEALTHY, Outcome.FAILED, 0, 0),
            row(HEALTHY, Event.MARK_HEALTHY, HEALTHY, Outcome.NONE, 0, 0),
            row(SUSPECT, Event.SEND_OK, HEALTHY, Outcome.ARRIVED, 0, 0),
            row(SUSPECT, Event.COMMUNICATION_FAILURE, SUSPECT, Outcome.FAILED, 0, 1),
            row(SUSPECT, Event.OTHER_FAILURE, SUSPECT, Outcome.FAILED, 0, 1),
            row(SUSPECT, Event.FAILOVER_INTERVAL_PASSES, FAILED_OVER, Outcome.NONE, 0, 1),
            row(SUSPECT, Event.MARK_HEALTHY, HEALTHY, Outcome.NONE, 0, 0),
            new Row(
                    HEALTHY,
                    Event.COMMUNICATION_FAILURE,
                    FailureClassifier.SEED,
                    Duration.ZERO,
                    FAILED_OVER,
                    Outcome.DIVERTED,
                    0,
                    1),
            row(FAILED_OVER, Event.SEND, FAILED_OVER, Outcome.DIVERTED, 0, 1),
            row(FAILED_OVER, Event.PING_OK, HEALTHY, Outcome.NONE, 1, 0),
            row(FAILED_OVER, Event.MARK_HEALTHY, HEALTHY, Outcome.NONE, 0, 0),
            row(FAILED_OVER, Event.PING_FAILS_TRANSIENT, FAILED_OVER, Outcome.NONE, 1, 1),
            row(FAILED_OVER, Event.PING_FAILS_FOR_GOOD, FAILED_OVER, Outcome.NONE, 1, 1),
            row(FAILED_OVER, Event.PING_FAILS_TRANSIENT, legacy, FAILED_OVER, Outcome.NONE, 1, 1),
            row(FAILED_OVER, Event.PING_FAILS_FOR_GOOD, legacy, UNREACHABLE, Outcome.NONE, 1, 1),
            row(UNREACHABLE, Event.SEND, legacy, UNREACHABLE, Outcome.REFUSED, 0, 1),
            row(UNREACHABLE, Event.PING_OK, legacy, HEALTHY, Outcome.NONE, 1, 0),
            row(UNREACHABLE, Event.MARK_HEALTHY, legacy, HEALTHY, Outcome.NONE, 0, 0),
            row(UNREACHABLE, Event.PING_FAILS_TRANSIENT, legacy, FAILED_OVER, Outcome.NONE, 1, 1),
            row(UNREACHABLE, Event.PING_FAILS_FOR_GOOD, legacy, UNREACHABLE, Outcome.NONE, 1, 1),
            row(HEALTHY, Event.CLOSE, CLOSED, Outcome.NONE, 0, 0),
            row(SUSPECT, Event.CLOSE, CLOSED, Outcome.NONE, 0, 0),
            row(FAILED_OVER, Event.CLOSE, CLOSED, Outcome.NONE, 0, 0),
            row(UNREACHABLE, Event.CLOSE, legacy, CLOSED, Outcome.NONE, 0, 0),
            row(SUSPECT, Event.FAULT, CLOSED, Outcome.NONE, 0, 0),
            row(FAILED_OVER, Event.FAULT, CLOSED, Outcome.NONE, 0, 0),
        };
    }

    @ParameterizedTest(name = "PAIR-7, 18.2: {0}")
    @MethodSource("rows")
    @DisplayName("PAIR-7, 18.2: every row of the state table")
    void followsTheTable(Row row) {
        try (World world = new World(row)) {
            world.reach(row.from());
            world.forget();
            row.event().before.accept(world);
            row.event().happens.accept(world);

            assertThat(world.pair.primary.state("orders")).isEqualTo(row.to());
            assertThat(world.outcome).isEqualTo(row.outcome());
            assertThat(world.contoso().count("ping orders")).as("pings").isEqualTo(row.pings());
            assertThat(world.pair.clock.waiting()).as("timers").isEqualTo(row.timers());
            assertThat(world.pair.changes)
                    .as("reported changes")
                    .hasSize(row.from() == row.to() ? 0 : isUnseen(row) ? 0 : 1);
        }
    }

    /** Returns whether the change is not reported, because a path without a sender has no monitor. */
    private static boolean isUnseen(Row row) {
        return row.from() == HEALTHY && row.event() == Event.CLOSE;
    }

    /** A pair and one sender. Failures and time alone bring it into a state. */
    static final class World implements AutoCloseable {
        final Pair pair;
        private final MessageSender sender;
        Outcome outcome = Outcome.NONE;

        World(Row row) {
            pair = Pair.with(options -> options.classifier(row.classifier())
                    .failoverInterval(row.failoverInterval())
                    .pingPrimaryInterval(PING));
            sender = pair.primary.createMessageSender("orders");
        }

        FakeNamespace contoso() {
            return pair.contoso;
        }

        void reach(PathState state) {
            if (state == HEALTHY) {
                return;
            }
            contoso().fail(SdkErrors::communication);
            send();
            if (state == SUSPECT) {
                return;
            }
            pair.clock.advance(Duration.ofMinutes(1));
            if (state == UNREACHABLE) {
                contoso().fail(SdkErrors::notFound);
                pair.clock.advance(PING);
            }
            assertThat(pair.primary.state("orders")).isEqualTo(state);
        }

        void forget() {
            contoso().forgetCalls();
            pair.changes.clear();
            outcome = Outcome.NONE;
        }

        void send() {
            int before = contoso().queue("orders").messages.size();
            var sent = sender.sendAsync(message("m"));
            if (!sent.toCompletableFuture().isCompletedExceptionally()) {
                outcome = contoso().queue("orders").messages.size() > before ? Outcome.ARRIVED : Outcome.DIVERTED;
                assertThat(pair.backlog()).hasSize(outcome == Outcome.DIVERTED ? 1 : 0);
            } else {
                outcome =
                        failure(sent) instanceof SendAvailabilityMessagingException ? Outcome.REFUSED : Outcome.FAILED;
            }
        }

        @Override
        public void close() {
            pair.close();
        }
    }
}
