package dev.jitney.paired.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Sinks;

final class SdkDeliveredTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static ServiceBusReceivedMessage lockedUntil(Instant time) {
        try {
            Constructor<ServiceBusReceivedMessage> maker =
                    ServiceBusReceivedMessage.class.getDeclaredConstructor(BinaryData.class);
            maker.setAccessible(true);
            ServiceBusReceivedMessage message = maker.newInstance(BinaryData.fromString("b"));
            if (time != null) {
                message.getRawAmqpMessage().getMessageAnnotations().put("x-opt-locked-until", Date.from(time));
            }
            return message;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest(name = "PAIR-43: the broker reports {0} s, the lock counts for {1} s")
    @CsvSource({"60, 60", "5, 5", "1, 5", "-3600, 5", "3660, 3660"})
    @DisplayName("PAIR-43: a lock counts for at least five seconds after the arrival, whatever the clocks show")
    void countsALockForAWhile(long toldSeconds, long countedSeconds) {
        SdkDelivered delivered = SdkDelivered.at(NOW, lockedUntil(NOW.plusSeconds(toldSeconds)));
        assertThat(Duration.between(NOW, delivered.lockedUntil()).toSeconds()).isEqualTo(countedSeconds);
    }

    @Test
    @DisplayName("PAIR-43: a lock without an expiry from the broker counts for five seconds too")
    void countsALockThatIsNotTold() {
        assertThat(SdkDelivered.at(NOW, lockedUntil(null)).lockedUntil()).isEqualTo(NOW.plusSeconds(5));
    }

    @Test
    @DisplayName("PAIR-41: arrivals are returned in order, and only as many are requested as there is room")
    void handsOutArrivals() {
        Sinks.Many<ServiceBusReceivedMessage> link = Sinks.many().unicast().onBackpressureError();
        Arrivals arrivals = new Arrivals(2, () -> NOW);
        link.asFlux().subscribe(arrivals);
        var first = arrivals.first();
        assertThat(first).isNotDone();

        ServiceBusReceivedMessage one = lockedUntil(NOW);
        assertThat(link.tryEmitNext(one)).isEqualTo(Sinks.EmitResult.OK);
        assertThat(first).isCompletedWithValue(true);
        assertThat(arrivals.isFull()).isFalse();
        assertThat(link.tryEmitNext(lockedUntil(NOW))).isEqualTo(Sinks.EmitResult.OK);
        assertThat(arrivals.isFull()).isTrue();
        assertThat(arrivals.first()).isCompletedWithValue(true);

        List<Inlet.Delivered> taken = arrivals.take(5);
        assertThat(taken).hasSize(2);
        assertThat(((SdkDelivered) taken.get(0)).message()).isSameAs(one);
        assertThat(arrivals.take(5)).isEmpty();
        var next = arrivals.first();
        arrivals.dispose();
        assertThatThrownBy(next::join).isInstanceOfAny(CompletionException.class, CancellationException.class);
        assertThat(arrivals.first()).isCompletedExceptionally();
    }

    @Test
    @DisplayName("PAIR-48: a link that fails ends the poll with its failure")
    void endsThePollWithTheFailure() {
        Sinks.Many<ServiceBusReceivedMessage> link = Sinks.many().unicast().onBackpressureBuffer();
        Arrivals arrivals = new Arrivals(2, () -> NOW);
        link.asFlux().subscribe(arrivals);
        var first = arrivals.first();
        IllegalStateException failure = new IllegalStateException("test");
        link.tryEmitError(failure);

        assertThatThrownBy(first::join).hasCause(failure);
        assertThat(arrivals.isDisposed()).isTrue();
    }
}
