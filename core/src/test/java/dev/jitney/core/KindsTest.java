package dev.jitney.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.queue.state.BodyOwner;
import dev.jitney.core.queue.state.InMemoryRows;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.core.queue.state.QueueApplier;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Every command and every record is completely handled")
class KindsTest {

    static Stream<Class<?>> commands() {
        return leaves(Command.class).stream();
    }

    static Stream<Class<?>> records() {
        return leaves(Record.class).stream();
    }

    @Test
    @DisplayName("each type of command has its own kind with the same name")
    void kindsOfCommands() {
        assertThat(commands().map(type -> ((Command) empty(type)).kind().name()))
                .containsExactlyElementsOf(commands().map(KindsTest::nameOf).toList())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(CommandKind.values()).map(Enum::name).toList());
    }

    @Test
    @DisplayName("each type of record has its own kind with the same name")
    void kindsOfRecords() {
        assertThat(records().map(type -> ((Record) empty(type)).kind().name()))
                .containsExactlyElementsOf(records().map(KindsTest::nameOf).toList())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(RecordKind.values()).map(Enum::name).toList());
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("a command is decided as the type of its kind")
    void decides(Class<?> type) {
        assertThatTypesAreRight(
                () -> QueueDecider.decide(state(new InMemoryRows()), (Command) empty(type), situation()));
    }

    private static Situation situation() {
        return new Situation(1, true, new InMemoryRows(), new LockTokenSequence(1, 2));
    }

    @ParameterizedTest
    @MethodSource("records")
    @DisplayName("a record is applied as the type of its kind")
    void applies(Class<?> type) {
        InMemoryRows rows = new InMemoryRows();
        assertThatTypesAreRight(() -> new QueueApplier(state(rows), rows).apply((Record) empty(type)));
    }

    @ParameterizedTest
    @MethodSource("commands")
    @DisplayName("a command has the parts that its traits need")
    void traitsFitTypes(Class<?> type) {
        Command command = (Command) empty(type);
        CommandKind kind = command.kind();
        assertThat(command)
                .isInstanceOf(
                        switch (kind.routing()) {
                            case BY_KEY -> Command.SendMessages.class;
                            case BY_TOKEN -> Command.NamesLocks.class;
                            case BY_NUMBER -> Command.NamesMessages.class;
                            case BY_SESSION -> Command.NamesSession.class;
                            case BY_RECEIVER -> Command.SetCredit.class;
                            case FIRST_WITH_MESSAGES -> Command.PeekMessages.class;
                            case BY_POSITION -> Command.SearchMessages.class;
                            case BY_SESSION_PLACE -> Command.BrowseSessions.class;
                            case LIKE_SEND -> Command.ExplainSend.class;
                            case ALL_COUNTS -> Command.GetCounts.class;
                            case ALL_SESSIONS -> Command.ListSessions.class;
                            case REFUSED, OF_ONE_FRAGMENT -> Command.class;
                        });
        assertThat(command)
                .isInstanceOf(
                        switch (kind.credits()) {
                            case PER_MESSAGE_SENT -> Command.SendMessages.class;
                            case PER_MESSAGE_NAMED -> Command.NamesMessages.class;
                            case PER_MESSAGE_FOUND, WHILE_CREDITS_LAST, ONE_IN_ANY_CASE, NO_CREDIT -> Command.class;
                        });
        assertThat(command)
                .isInstanceOf(
                        switch (kind.metering()) {
                            case MESSAGES_IN -> Command.SendMessages.class;
                            case STATE_IN -> Command.SetSessionState.class;
                            case MESSAGES_OUT, MESSAGES_OUT_OF_ENTITY, CALL, CALL_OF_ENTITY, STATE_OUT, FREE ->
                                Command.class;
                        });
        assertThat(command)
                .isInstanceOf(
                        switch (kind.takenBy()) {
                            case ALL_BUT_COPIES, TOPIC_FOR_TRANSFER_DEAD_LETTERS -> Command.NamesSubQueue.class;
                            case ALL, NO_SUBSCRIPTION, NO_TOPIC -> Command.class;
                        });
        assertThat(command)
                .isInstanceOf(
                        switch (kind.direction()) {
                            case OUT -> Command.NamesSubQueue.class;
                            case IN, NEITHER -> Command.class;
                        });
    }

    @ParameterizedTest
    @MethodSource("shareable")
    @DisplayName("a command that fragments can share is prepared, committed and aborted")
    void takesSteps(Class<?> type) {
        for (Command.TwoPhase.Step step : Command.TwoPhase.Step.values()) {
            Command request = new Command.TwoPhase(step, (Command.Shareable) empty(type), 1);
            assertThat(QueueDecider.decide(state(new InMemoryRows()), request, situation()))
                    .isNotNull();
        }
    }

    static Stream<Class<?>> shareable() {
        return leaves(Command.Shareable.class).stream();
    }

    /** Asserts that nothing takes an empty command or record for another type; other failures are allowed. */
    private static void assertThatTypesAreRight(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown instanceof ClassCastException).as("%s", thrown).isFalse();
    }

    private static QueueState state(InMemoryRows rows) {
        return new QueueState(
                new FragmentId(7, 0),
                QueueDescription.named("q").requiresSession(true).build(),
                Limits.of(TierProfile.STANDARD),
                ExpiryEnforcement.ON_RECEIVER,
                new MemoryBudget(1 << 20, 1_000, 1_000),
                BodyOwner.NONE,
                rows);
    }

    private static Set<Class<?>> leaves(Class<?> type) {
        Set<Class<?>> leaves = new LinkedHashSet<>();
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                leaves.addAll(leaves(permitted));
            }
        } else {
            leaves.add(type);
        }
        return leaves;
    }

    private static String nameOf(Class<?> type) {
        return type.getSimpleName().replaceAll("(?<!^)([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    /** Returns an empty value: 0, false, null or an empty list or map in each component. */
    private static Object empty(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            return canonical.newInstance(
                    Arrays.stream(types).map(KindsTest::nothing).toArray());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("Expected a record with a canonical constructor: " + type, e);
        }
    }

    private static Object nothing(Class<?> type) {
        if (type == List.class) {
            return List.of();
        } else if (type == Map.class) {
            return Map.of();
        } else if (type == boolean.class) {
            return false;
        } else if (type == int.class) {
            return 0;
        } else if (type == long.class) {
            return 0L;
        }
        return null;
    }
}
