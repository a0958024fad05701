package dev.jitney.paired;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import dev.jitney.paired.internal.failure.Failures;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class FailureClassifierTest {

    /**
     * @param seed whether such a failure of a send starts a failover with SEED
     * @param legacy whether it does with LEGACY; if not, such a failure of a ping ends the diversion there
     * @param givenUp whether the syphon dead-letters the message with both, leaves it with both, or leaves it only with SEED
     */
    record Row(String name, Throwable failure, boolean seed, boolean legacy, Syphoned givenUp) {
        @Override
        public String toString() {
            return name;
        }
    }

    enum Syphoned {
        LEFT,
        LEFT_BY_SEED_ONLY,
        DEAD_LETTERED
    }

    static Row[] rows() {
        return new Row[] {
            new Row("timeout", new TimeoutException("t"), true, true, Syphoned.LEFT),
            new Row("service timeout", SdkErrors.timeout(), true, true, Syphoned.LEFT),
            new Row("no answer", SdkErrors.noAnswer(), true, true, Syphoned.LEFT),
            new Row("communication", SdkErrors.communication(), true, true, Syphoned.LEFT),
            new Row("internal", SdkErrors.internal(), true, true, Syphoned.LEFT),
            new Row(
                    "link detached",
                    SdkErrors.of(true, AmqpErrorCondition.LINK_DETACH_FORCED),
                    true,
                    true,
                    Syphoned.LEFT),
            new Row(
                    "connection forced",
                    SdkErrors.of(true, AmqpErrorCondition.CONNECTION_FORCED),
                    true,
                    true,
                    Syphoned.LEFT),
            new Row(
                    "bare transient AMQP failure",
                    new AmqpException(true, "connection refused", null),
                    true,
                    true,
                    Syphoned.LEFT),
            new Row("bare AMQP failure", new AmqpException(false, "refused", null), true, false, Syphoned.LEFT),
            new Row(
                    "failure of no known reason",
                    new ServiceBusException(new IllegalStateException("?"), ServiceBusErrorSource.SEND),
                    true,
                    false,
                    Syphoned.LEFT),
            new Row("quota exceeded", SdkErrors.full(), true, false, Syphoned.LEFT),
            new Row("entity disabled", SdkErrors.disabled(), true, false, Syphoned.LEFT_BY_SEED_ONLY),
            new Row("entity not found", SdkErrors.notFound(), true, false, Syphoned.LEFT_BY_SEED_ONLY),
            new Row("server busy", SdkErrors.busy(), false, true, Syphoned.LEFT),
            new Row("unauthorized", SdkErrors.unauthorized(), false, false, Syphoned.LEFT_BY_SEED_ONLY),
            new Row("no token", new ClientAuthenticationException("t", null), false, false, Syphoned.LEFT),
            new Row("message size exceeded", SdkErrors.tooLarge(), false, false, Syphoned.DEAD_LETTERED),
            new Row("argument", SdkErrors.argument(), false, false, Syphoned.DEAD_LETTERED),
            new Row(
                    "out of range",
                    SdkErrors.of(false, AmqpErrorCondition.ARGUMENT_OUT_OF_RANGE_ERROR),
                    false,
                    false,
                    Syphoned.DEAD_LETTERED),
            new Row("invalid operation", SdkErrors.invalidOperation(), false, false, Syphoned.DEAD_LETTERED),
            new Row("serialization", new IllegalArgumentException("t"), false, false, Syphoned.DEAD_LETTERED),
            new Row("serialization overflow", new ArithmeticException("t"), false, false, Syphoned.DEAD_LETTERED),
            new Row(
                    "wrapped serialization",
                    new ServiceBusException(new IllegalArgumentException("t"), ServiceBusErrorSource.SEND),
                    false,
                    false,
                    Syphoned.DEAD_LETTERED),
            new Row("disposed sender", new IllegalStateException("disposed"), false, false, Syphoned.LEFT),
        };
    }

    @ParameterizedTest(name = "PAIR-9: {0}")
    @MethodSource("rows")
    @DisplayName("PAIR-9: failures that start a failover with SEED")
    void seed(Row row) {
        assertThat(FailureClassifier.SEED.startsFailover(row.failure())).isEqualTo(row.seed());
    }

    @ParameterizedTest(name = "PAIR-10: {0}")
    @MethodSource("rows")
    @DisplayName("PAIR-10: failures that start a failover with LEGACY: timeouts and transient failures")
    void legacy(Row row) {
        assertThat(FailureClassifier.LEGACY.startsFailover(row.failure())).isEqualTo(row.legacy());
    }

    @ParameterizedTest(name = "PAIR-37: {0}")
    @MethodSource("rows")
    @DisplayName("PAIR-37: failed pings that end the diversion: none with SEED, permanent failures with LEGACY")
    void pings(Row row) {
        assertThat(FailureClassifier.SEED.endsDiversion(row.failure())).isFalse();
        assertThat(FailureClassifier.LEGACY.endsDiversion(row.failure())).isEqualTo(!row.legacy());
    }

    @ParameterizedTest(name = "PAIR-47: {0}")
    @MethodSource("rows")
    @DisplayName("PAIR-47: failed sends after which the syphon dead-letters a message")
    void syphon(Row row) {
        assertThat(FailureClassifier.SEED.givesUpMessage(row.failure()))
                .isEqualTo(row.givenUp() == Syphoned.DEAD_LETTERED);
        assertThat(FailureClassifier.LEGACY.givesUpMessage(row.failure())).isEqualTo(row.givenUp() != Syphoned.LEFT);
    }

    @ParameterizedTest(name = "PAIR-9, PAIR-10, PAIR-37, PAIR-47: {0}, after the SDK's retries")
    @MethodSource("rows")
    @DisplayName("PAIR-9, PAIR-10, PAIR-37, PAIR-47, C-3: the wrappers that the SDK adds after its retries make no"
            + " difference")
    void afterRetries(Row row) {
        Throwable retried = SdkErrors.afterRetries(row.failure());
        if (row.failure() instanceof IllegalStateException) {
            return; // A disposed sender is not retried.
        }
        assertThat(FailureClassifier.SEED.startsFailover(retried)).isEqualTo(row.seed());
        assertThat(FailureClassifier.LEGACY.startsFailover(retried)).isEqualTo(row.legacy());
        assertThat(FailureClassifier.LEGACY.endsDiversion(retried)).isEqualTo(!row.legacy());
        assertThat(FailureClassifier.SEED.givesUpMessage(retried)).isEqualTo(row.givenUp() == Syphoned.DEAD_LETTERED);
        assertThat(FailureClassifier.LEGACY.givesUpMessage(retried)).isEqualTo(row.givenUp() != Syphoned.LEFT);
    }

    @ParameterizedTest(name = "PAIR-9: {0}, wrapped by a future")
    @MethodSource("rows")
    @DisplayName("PAIR-9: the wrapper of a future makes no difference")
    void wrapped(Row row) {
        Throwable bare = Failures.bare(new CompletionException(row.failure()));

        assertThat(bare).isSameAs(row.failure());
    }
}
