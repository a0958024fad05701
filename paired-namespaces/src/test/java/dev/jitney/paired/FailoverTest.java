package dev.jitney.paired;

import static dev.jitney.paired.Pair.failure;
import static dev.jitney.paired.Pair.message;
import static dev.jitney.paired.Pair.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class FailoverTest {

    @Test
    @DisplayName("PAIR-6: a healthy primary receives the same calls as from a factory that is not paired")
    void changesNothingWhileHealthy() {
        List<List<String>> traces = new ArrayList<>();
        for (boolean paired : new boolean[] {false, true}) {
            Pair pair = paired ? Pair.withDefaults() : new Pair();
            MessageSender sender = pair.primary.createMessageSender("orders");
            sender.send(message("1"));
            sender.send(List.of(message("2"), message("3")));
            MessageBatch batch = sender.createMessageBatch();
            batch.tryAddMessage(message("4"));
            sender.send(batch);
            sender.cancelScheduledMessage(sender.scheduleMessage(message("5"), OffsetDateTime.now(ZoneOffset.UTC)));
            pair.contoso.fail("send orders", SdkErrors::tooLarge);
            assertThatThrownBy(() -> sender.send(message("6"))).isInstanceOf(ServiceBusException.class);
            pair.clock.advance(Duration.ofDays(1));

            traces.add(pair.contoso.calls());
            assertThat(pair.fabrikam.calls()).isEmpty();
            assertThat(texts(pair.contoso.queue("orders"))).containsExactly("1", "2", "3", "4");
        }
        assertThat(traces.get(1)).isEqualTo(traces.get(0)).hasSize(7);
    }

    @Test
    @DisplayName("PAIR-7: one entity fails over for all its senders; other entities stay on the primary")
    void failsOverOneEntity() {
        Pair pair = Pair.withDefaults();
        pair.contoso.fail("send orders", SdkErrors::communication);
        MessageSender first = pair.primary.createMessageSender("orders");
        MessageSender second = pair.primary.createMessageSender(" ORDERS ");
        MessageSender bills = pair.primary.createMessageSender("bills");
        failure(first.sendAsync(message("lost")));
        pair.clock.advance(Duration.ofMinutes(1));

        second.send(message("order"));
        bills.send(message("bill"));

        assertThat(pair.backlogTexts()).containsExactly("order");
        assertThat(texts(pair.contoso.queue("bills"))).containsExactly("bill");
        assertThat(pair.primary.state("Orders")).isEqualTo(PathState.FAILED_OVER);
        assertThat(pair.primary.state("bills")).isEqualTo(PathState.HEALTHY);
        assertThat(pair.primary.state("never used")).isEqualTo(PathState.HEALTHY);
    }

    @Test
    @DisplayName("PAIR-8, C-4: fail at 0, success at 30 s: no failover")
    void oneSuccessIsEnough() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.fail(SdkErrors::communication);
        failure(sender.sendAsync(message("lost")));
        pair.clock.seconds(30);
        pair.contoso.heal();
        sender.send(message("found"));
        pair.contoso.fail(SdkErrors::communication);
        pair.clock.seconds(59);
        failure(sender.sendAsync(message("lost")));

        pair.clock.seconds(118);
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.SUSPECT);
        pair.clock.seconds(119);
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);
    }

    @Test
    @DisplayName("PAIR-8, C-4: fail at 0, nothing sent: failover at 60 s, not before")
    void failsOverByTimeAlone() {
        Pair pair = Pair.withDefaults();
        pair.contoso.fail(SdkErrors::communication);
        failure(pair.primary.createMessageSender("orders").sendAsync(message("lost")));

        pair.clock.advanceTo(Duration.ofMillis(59_999));
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.SUSPECT);
        pair.clock.seconds(60);

        assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);
        assertThat(pair.states()).containsExactly(PathState.SUSPECT, PathState.FAILED_OVER);
        assertThat(pair.changes.get(1).path()).isEqualTo("orders");
        assertThat(pair.changes.get(1).at()).isEqualTo(ManualClock.START.plusSeconds(60));
        assertThat(pair.changes.get(1).cause()).isInstanceOf(ServiceBusException.class);
    }

    @Test
    @DisplayName("PAIR-11: a success of any sender cancels the running timer")
    void anySenderCancelsTheTimer() {
        Pair pair = Pair.withDefaults();
        pair.contoso.fail(SdkErrors::communication);
        failure(pair.primary.createMessageSender("orders").sendAsync(message("lost")));
        pair.contoso.heal();
        pair.primary.createMessageSender("Orders").send(message("found"));

        assertThat(pair.clock.waiting()).isZero();
        pair.clock.advance(Duration.ofHours(1));
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.HEALTHY);
    }

    @Test
    @DisplayName("PAIR-8: only sends count as successful: a full queue that still starts transactions fails over")
    void onlySendsCount() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.fail("send orders", SdkErrors::full);
        failure(sender.sendAsync(message("lost")));
        pair.clock.seconds(30);
        sender.rollbackTransaction(sender.createTransaction());
        sender.createMessageBatch();
        sender.cancelScheduledMessage(1);
        pair.clock.seconds(60);

        assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);
    }

    @Test
    @DisplayName("PAIR-8: a failed cancellation does not count as a failed send, but a failed schedule does")
    void failuresOfOtherCallsDoNotCount() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.fail("cancel orders", SdkErrors::notFound);
        assertThatThrownBy(() -> sender.cancelScheduledMessage(1)).isInstanceOf(ServiceBusException.class);
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.HEALTHY);

        pair.contoso.fail("schedule orders", SdkErrors::timeout);
        assertThatThrownBy(() -> sender.scheduleMessage(message("m"), OffsetDateTime.now(ZoneOffset.UTC)))
                .isInstanceOf(ServiceBusException.class);
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.SUSPECT);
    }

    @Test
    @DisplayName("PAIR-12, PAIR-15, PAIR-20: sends go to the secondary and only pings to the primary, until a ping"
            + " succeeds")
    void leavesThePrimaryAlone() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        pair.contoso.forgetCalls();
        for (int i = 0; i < 100; i++) {
            sender.send(message("m" + i));
            pair.clock.advance(Duration.ofSeconds(3));
        }
        assertThat(pair.contoso.calls()).hasSize(5).containsOnly("ping orders");
        assertThat(pair.backlog()).hasSize(100);

        pair.contoso.heal();
        pair.clock.advance(Duration.ofMinutes(1));
        sender.send(message("home"));

        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("home");
        assertThat(pair.backlog()).as("not drained yet").hasSize(100);
    }

    @Test
    @DisplayName("PAIR-13: with an interval of 0 the failed message is diverted, and the call succeeds")
    void divertsTheFailingMessage() {
        Pair pair = Pair.with(options -> options.failoverInterval(Duration.ZERO));
        pair.contoso.fail(SdkErrors::communication);
        MessageSender sender = pair.primary.createMessageSender("orders");

        sender.send(message("first"));
        sender.send(List.of(message("second"), message("third")));

        assertThat(pair.backlogTexts()).containsExactly("first", "second", "third");
        assertThat(pair.contoso.calls()).containsExactly("send orders");
        assertThat(pair.changes).hasSize(1);
    }

    @Test
    @DisplayName("PAIR-13: creating a batch fails over too, and returns the size of a backlog queue")
    void divertsTheFailingBatch() {
        Pair pair = Pair.with(options -> options.failoverInterval(Duration.ZERO));
        pair.contoso.fail(SdkErrors::communication);
        MessageSender sender = pair.primary.createMessageSender("orders");

        MessageBatch batch = sender.createMessageBatch();
        batch.tryAddMessage(message("m"));
        sender.send(batch);

        assertThat(pair.backlogTexts()).containsExactly("m");
    }

    @Test
    @DisplayName("PAIR-12: a send in progress at the failover is diverted if it then fails")
    void divertsWhatWasUnderWay() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.hold("send orders");
        CompletableFuture<Void> slow = sender.sendAsync(message("slow")).toCompletableFuture();
        CompletableFuture<Void> other = sender.sendAsync(message("bad")).toCompletableFuture();
        pair.contoso.fail("schedule orders", SdkErrors::communication);
        failure(sender.scheduleMessagesAsync(List.of(message("s")), OffsetDateTime.now(ZoneOffset.UTC)));
        pair.clock.seconds(60);
        assertThat(slow).isNotDone();
        sender.sendAsync(message("new"));
        assertThat(pair.backlogTexts()).containsExactly("new");

        pair.contoso.release("send orders", SdkErrors.communication());

        assertThat(slow).isCompleted();
        assertThat(other).isCompleted();
        assertThat(pair.backlogTexts()).containsExactly("new", "slow", "bad");
    }

    @Test
    @DisplayName("PAIR-12: a late success of a send in progress does not end the failover; a ping does")
    void aLateSuccessIsNoPing() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.contoso.hold("send orders");
        CompletableFuture<Void> slow = sender.sendAsync(message("slow")).toCompletableFuture();
        pair.contoso.fail("schedule orders", SdkErrors::communication);
        failure(sender.scheduleMessagesAsync(List.of(message("s")), OffsetDateTime.now(ZoneOffset.UTC)));
        pair.clock.seconds(60);

        pair.contoso.release("send orders", null);

        assertThat(slow).isCompleted();
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);
    }

    @Test
    @DisplayName("PAIR-18: a failover starts with diverted sends to one random backlog queue and pings, and ends"
            + " with recovery")
    void goesThroughTheSequence() {
        Pair pair = Pair.with(options -> options.enableSyphon(true));
        pair.clock.seconds(1);
        pair.contoso.forgetCalls();
        pair.fabrikam.forgetCalls();
        MessageSender sender = pair.primary.createMessageSender("orders");
        sender.send(message("1"));
        pair.contoso.fail(SdkErrors::communication);
        failure(sender.sendAsync(message("lost")));
        pair.clock.advance(Duration.ofMinutes(1));
        sender.send(message("2"));
        sender.send(message("3"));
        List<String> backlog = pair.fabrikam.calls().stream()
                .filter(call -> call.startsWith("send"))
                .distinct()
                .toList();
        assertThat(backlog).hasSize(1);
        pair.clock.advance(Duration.ofMinutes(1));
        pair.contoso.heal();
        pair.clock.advance(Duration.ofMinutes(2));
        sender.send(message("4"));

        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("1", "2", "3", "4");
        assertThat(pair.states()).containsExactly(PathState.SUSPECT, PathState.FAILED_OVER, PathState.HEALTHY);
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-19: without a syphon diverted messages stay, even ten days after the recovery")
    void waitsForASyphon() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        sender.send(message("parked"));
        pair.contoso.heal();

        pair.clock.advance(Duration.ofDays(10));

        assertThat(pair.backlogTexts()).containsExactly("parked");
        assertThat(pair.contoso.queue("orders").messages).isEmpty();
    }

    @Test
    @DisplayName("PAIR-22: a closed sender closes its backlog link; sends in progress end once")
    void closesItsBacklogLink() {
        Pair pair = Pair.with(options -> options.backlogQueueCount(1));
        MessageSender sender = pair.failedOver("orders");
        sender.send(message("1"));
        String call = "send " + Pair.BACKLOG + 0;
        pair.fabrikam.hold(call);
        CompletableFuture<Void> arrives = sender.sendAsync(message("2")).toCompletableFuture();
        CompletableFuture<Void> fails = sender.sendAsync(message("3")).toCompletableFuture();
        assertThat(pair.fabrikam.openOutlets()).isEqualTo(1);

        sender.close();
        sender.close();

        assertThat(pair.fabrikam.openOutlets()).isZero();
        assertThat(pair.contoso.openOutlets()).isZero();
        pair.fabrikam.release(call, SdkErrors.communication());
        assertThat(failure(arrives)).isInstanceOf(ServiceBusException.class);
        assertThat(failure(fails)).isInstanceOf(ServiceBusException.class);
        assertThatThrownBy(() -> sender.send(message("4")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(pair.primary.createMessageSender("orders").sendAsync(message("5")))
                .as("the queue stays in use for other senders")
                .isCompleted();
    }

    @Test
    @DisplayName("PAIR-60: the library opens no receivers at the primary")
    void opensNoReceiverAtThePrimary() {
        Pair pair = Pair.with(options -> options.enableSyphon(true));
        pair.failedOver("orders").send(message("m"));
        pair.contoso.heal();
        pair.clock.advance(Duration.ofHours(1));

        assertThat(pair.contoso.calls()).noneMatch(call -> call.startsWith("receive"));
        assertThat(pair.contoso.openInlets()).isZero();
    }

    @Test
    @DisplayName("PAIR-20: after markPathHealthy senders use the primary immediately, and pings end")
    void marksAPathHealthy() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        pair.contoso.heal();
        pair.contoso.forgetCalls();

        pair.primary.markPathHealthy("ORDERS");
        pair.primary.markPathHealthy("never used");
        sender.send(message("m"));
        pair.clock.advance(Duration.ofHours(1));

        assertThat(pair.contoso.calls()).containsExactly("send orders");
    }

    @Test
    @DisplayName("SCN-11: PAIR-8, PAIR-15, PAIR-20, PAIR-31, PAIR-51 in one scenario")
    void scenario11() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.primary.createMessageSender("orders");
        OffsetDateTime scheduled = OffsetDateTime.ofInstant(ManualClock.START.plusSeconds(7200), ZoneOffset.UTC);
        pair.contoso.fail(SdkErrors::communication);
        failure(sender.sendAsync(message("at 0 s")));
        pair.clock.seconds(30);
        failure(sender.sendAsync(message("at 30 s")));
        pair.clock.seconds(60);
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);

        pair.clock.seconds(61);
        sender.send(message("at 61 s")
                .setSessionId("s")
                .setTimeToLive(Duration.ofHours(1))
                .setScheduledEnqueueTime(scheduled));
        assertThat(pair.backlogQueuesInUse()).hasSize(1);
        AmqpAnnotatedMessage parked = pair.backlog().get(0);
        assertThat(parked.getProperties().getGroupId()).isNull();
        pair.clock.seconds(119);
        assertThat(pair.contoso.count("ping orders")).isZero();
        pair.clock.seconds(120);
        assertThat(pair.contoso.count("ping orders")).isEqualTo(1);
        pair.clock.seconds(150);
        pair.contoso.heal();
        pair.clock.seconds(151);
        sender.send(message("at 151 s"));
        assertThat(pair.backlogTexts()).containsExactly("at 61 s", "at 151 s");
        pair.clock.seconds(180);
        assertThat(pair.contoso.count("ping orders")).isEqualTo(2);
        pair.clock.seconds(181);
        sender.send(message("at 181 s"));
        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("at 181 s");

        // Another process delivers the diverted messages.
        MessagingFactory primary = pair.factory(pair.contoso, new Random());
        MessagingFactory secondary = pair.factory(pair.fabrikam, new Random());
        Syphon.start(
                primary,
                SendAvailabilityPairedNamespaceOptions.builder(secondary).build());
        pair.clock.seconds(182);

        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("at 181 s", "at 61 s", "at 151 s");
        AmqpAnnotatedMessage home = pair.contoso.queue("orders").contents().get(1);
        assertThat(home.getProperties().getGroupId()).isEqualTo("s");
        assertThat(home.getHeader().getTimeToLive()).isEqualTo(Duration.ofHours(1));
        assertThat(home.getMessageAnnotations()).containsEntry("x-opt-scheduled-enqueue-time", scheduled);
        assertThat(home.getApplicationProperties()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-55: a diverted message object can be changed and sent again")
    void leavesTheCallersObject() {
        Pair pair = Pair.withDefaults();
        MessageSender sender = pair.failedOver("orders");
        ServiceBusMessage message = message("m").setSessionId("s").setTimeToLive(Duration.ofHours(1));
        sender.send(message);
        message.getApplicationProperties().put("round", 2);
        sender.send(message);

        assertThat(message.getSessionId()).isEqualTo("s");
        assertThat(message.getTimeToLive()).isEqualTo(Duration.ofHours(1));
        assertThat(message.getApplicationProperties()).containsOnlyKeys("round");
        assertThat(pair.backlog().get(0).getApplicationProperties()).doesNotContainKey("round");
        assertThat(pair.backlog().get(1).getApplicationProperties()).containsEntry("round", 2);
    }
}
