package dev.jitney.paired;

import static dev.jitney.paired.Pair.BACKLOG;
import static dev.jitney.paired.Pair.message;
import static dev.jitney.paired.Pair.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.message.DivertedMessages;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SyphonTest {
    private static final String FIRST = BACKLOG + 0;

    /** Creates a pair with a syphon that has started to poll. */
    private static Pair syphoning(UnaryOperator<SendAvailabilityPairedNamespaceOptions.Builder> options) {
        Pair pair = Pair.with(all -> options.apply(all.enableSyphon(true)));
        pair.clock.seconds(1);
        return pair;
    }

    private static Pair syphoningOne() {
        return syphoning(options -> options.backlogQueueCount(1));
    }

    /** Puts a message into a backlog queue like the sender of any factory. */
    private static void park(Pair pair, String queue, String path, ServiceBusMessage message) {
        pair.fabrikam.store(queue, DivertedMessages.alter(message, path).getRawAmqpMessage());
    }

    @Test
    @DisplayName(
            "PAIR-39, PAIR-40: one worker per backlog queue, started after SyphonRetryInterval, only where enabled")
    void startsOneWorkerPerQueue() {
        Pair without = Pair.withDefaults();
        without.clock.advance(Duration.ofDays(1));
        assertThat(without.fabrikam.calls()).isEmpty();
        assertThat(without.primary.syphon()).isNull();

        Pair pair = Pair.with(options -> options.enableSyphon(true).syphonRetryInterval(Duration.ofSeconds(5)));
        pair.clock.advanceTo(Duration.ofMillis(4_999));
        assertThat(pair.fabrikam.calls()).isEmpty();
        pair.clock.seconds(5);
        assertThat(pair.fabrikam.calls())
                .containsExactlyInAnyOrderElementsOf(BacklogQueues.paths("contoso", 10).stream()
                        .map(queue -> "receive " + queue)
                        .toList());
        assertThat(pair.primary.syphon()).isNotNull();
    }

    @Test
    @DisplayName("PAIR-41: an idle queue is polled four times an hour; a message ends a poll immediately, and the next"
            + " one starts")
    void pollsForFifteenMinutes() {
        Pair pair = syphoningOne();
        pair.clock.advance(Duration.ofMinutes(59));
        assertThat(pair.fabrikam.count("receive " + FIRST)).isEqualTo(4);
        pair.fabrikam.forgetCalls();

        park(pair, FIRST, "orders", message("m"));

        assertThat(pair.fabrikam.calls()).containsExactly("complete " + FIRST, "receive " + FIRST);
        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("m");
        pair.clock.advance(Duration.ofMinutes(14));
        assertThat(pair.fabrikam.count("receive " + FIRST)).isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-53: ten idle backlog queues cost exactly 40 receives an hour, 960 a day and 28,800 in 30 days")
    void costsFortyReceivesAnHour() {
        Pair pair = syphoning(options -> options);
        pair.fabrikam.forgetCalls();

        pair.clock.advance(Duration.ofHours(1));
        assertThat(pair.fabrikam.operations()).isEqualTo(40);
        assertThat(pair.fabrikam.operations(FIRST)).isEqualTo(4);
        pair.clock.advance(Duration.ofHours(23));
        assertThat(pair.fabrikam.operations()).isEqualTo(960);
        pair.clock.advance(Duration.ofDays(29));
        assertThat(pair.fabrikam.operations()).isEqualTo(28_800);
        assertThat(pair.contoso.operations()).isZero();
        assertThat(pair.primary.syphon().figures().receives())
                .as("including running ones")
                .isEqualTo(28_800 + 10);
    }

    @Test
    @DisplayName("PAIR-54: a syphoned message costs four operations: a send and a receive in each namespace")
    void costsFourOperationsPerMessage() {
        Pair pair = Pair.with(options -> options.enableSyphon(true).failoverInterval(Duration.ZERO));
        pair.contoso.fail(SdkErrors::communication);
        pair.primary.createMessageSender("orders").send(message("m"));
        pair.contoso.heal();
        pair.clock.seconds(1);
        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("m");
        // A receiver of the application receives it at the primary.
        pair.contoso
                .inlet("orders", 0, pair.clock::now)
                .receive(1, Duration.ofSeconds(1))
                .subscribe();

        assertThat(pair.fabrikam.operations()).isEqualTo(2);
        assertThat(pair.contoso.operations()).isEqualTo(2);
    }

    @Test
    @DisplayName("PAIR-42, PAIR-50: messages of all backlog queues are delivered to their original queues and topics")
    void deliversToTheRightEntities() {
        Pair pair = syphoning(options -> options);
        for (int d = 0; d < 7; d++) {
            pair.contoso.with("entity" + d);
        }
        for (int i = 0; i < 210; i++) {
            park(pair, BACKLOG + i % 10, "Entity" + i % 7, message(i % 7 + "/" + i));
        }

        for (int d = 0; d < 7; d++) {
            String prefix = d + "/";
            assertThat(texts(pair.contoso.queue("entity" + d)))
                    .hasSize(30)
                    .doesNotHaveDuplicates()
                    .allMatch(text -> text.startsWith(prefix));
        }
        assertThat(pair.backlog()).isEmpty();
        assertThat(pair.primary.syphon().figures().delivered()).isEqualTo(210);
    }

    @Test
    @DisplayName("PAIR-39: two syphons on the same queues deliver each message once")
    void sharesTheWork() {
        Pair pair = syphoningOne();
        MessagingFactory primary = pair.factory(pair.contoso, new Random());
        MessagingFactory secondary = pair.factory(pair.fabrikam, new Random());
        Syphon other = Syphon.start(
                primary,
                SendAvailabilityPairedNamespaceOptions.builder(secondary)
                        .backlogQueueCount(1)
                        .build());
        pair.clock.seconds(2);
        for (int i = 0; i < 100; i++) {
            park(pair, FIRST, "orders", message("m" + i));
        }
        pair.clock.advance(Duration.ofHours(1));

        assertThat(texts(pair.contoso.queue("orders"))).hasSize(100).doesNotHaveDuplicates();
        other.close();
        park(pair, FIRST, "orders", message("last"));
        assertThat(texts(pair.contoso.queue("orders"))).hasSize(101);
        assertThat(primary.state()).isEqualTo(FactoryState.OPEN);
    }

    @Test
    @DisplayName("PAIR-43: receive under lock, send, then complete: a message that is not completed is delivered again")
    void arrivesAtLeastOnce() {
        Pair pair = syphoningOne();
        pair.fabrikam.fail("complete " + FIRST, SdkErrors::communication);
        park(pair, FIRST, "orders", message("m"));
        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("m");
        pair.fabrikam.heal();

        pair.clock.advance(Duration.ofMinutes(1));

        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("m", "m");
        assertThat(pair.contoso
                        .queue("orders")
                        .contents()
                        .get(0)
                        .getProperties()
                        .getMessageId())
                .as("with the same id, for an entity that detects duplicates")
                .isEqualTo(pair.contoso
                        .queue("orders")
                        .contents()
                        .get(1)
                        .getProperties()
                        .getMessageId());
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName("PAIR-45: a foreign message is dead-lettered in its backlog queue, with a reason")
    void deadLettersForeignMessages() {
        Pair pair = syphoningOne();
        pair.fabrikam.store(FIRST, message("foreign").getRawAmqpMessage());
        park(pair, FIRST, "orders", message("ours"));

        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("ours");
        assertThat(pair.fabrikam.queue(FIRST).messages).isEmpty();
        assertThat(pair.fabrikam.queue(FIRST).deadLetters).singleElement().satisfies(dead -> {
            assertThat(dead.reason()).isEqualTo("NotADivertedMessage");
            assertThat(dead.description()).contains("x-ms-path");
        });
        assertThat(pair.primary.syphon().figures().deadLettered()).isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-46, C-1: a message with an alias of the wrong type is dead-lettered, for each of the four"
            + " aliases")
    void deadLettersWrongAliases() {
        Pair pair = syphoningOne();
        for (String alias : List.of("x-ms-path", "x-ms-sessionid", "x-ms-timetolive", "x-ms-scheduledenqueuetimeutc")) {
            ServiceBusMessage wrong = DivertedMessages.alter(message("wrong"), "orders");
            wrong.getApplicationProperties()
                    .put(alias, alias.endsWith("utc") ? "2026-01-01T00:00:00Z" : (Object) new Date(0));
            pair.fabrikam.store(FIRST, wrong.getRawAmqpMessage());
        }

        assertThat(pair.fabrikam.queue(FIRST).deadLetters)
                .hasSize(4)
                .allMatch(dead -> dead.reason().equals("NotADivertedMessage"));
        assertThat(pair.contoso.queue("orders").messages).isEmpty();
    }

    record Refusal(String name, Supplier<Throwable> failure, boolean deadBySeed, boolean deadByLegacy) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Refusal[] refusals() {
        return new Refusal[] {
            new Refusal("full", SdkErrors::full, false, false),
            new Refusal("timeout", SdkErrors::timeout, false, false),
            new Refusal("communication", SdkErrors::communication, false, false),
            new Refusal("busy", SdkErrors::busy, false, false),
            new Refusal("disabled", SdkErrors::disabled, false, true),
            new Refusal("deleted", SdkErrors::notFound, false, true),
            new Refusal("unauthorized", SdkErrors::unauthorized, false, true),
            new Refusal("too large", SdkErrors::tooLarge, true, true),
            new Refusal("argument", SdkErrors::argument, true, true),
            new Refusal("invalid operation", SdkErrors::invalidOperation, true, true),
            new Refusal("cannot be written", () -> new IllegalArgumentException("test"), true, true),
        };
    }

    @ParameterizedTest(name = "PAIR-47: {0}")
    @MethodSource("refusals")
    @DisplayName("PAIR-47: a message that the primary refuses is delivered later or dead-lettered, depending on cause"
            + " and classifier")
    void leavesOrDeadLetters(Refusal refusal) {
        for (FailureClassifier classifier : FailureClassifier.values()) {
            boolean dead = classifier == FailureClassifier.SEED ? refusal.deadBySeed() : refusal.deadByLegacy();
            Pair pair = syphoning(options -> options.backlogQueueCount(1).classifier(classifier));
            pair.contoso.fail("send orders", refusal.failure());
            park(pair, FIRST, "orders", message("m"));
            pair.clock.advance(Duration.ofMinutes(5));
            assertThat(pair.fabrikam.queue(FIRST).deadLetters).hasSize(dead ? 1 : 0);
            assertThat(pair.backlog()).hasSize(dead ? 0 : 1);
            if (dead) {
                assertThat(pair.fabrikam.queue(FIRST).deadLetters.get(0).reason())
                        .isEqualTo("SyphonSendFailed");
            }
            pair.contoso.heal();
            pair.clock.advance(Duration.ofMinutes(1));
            assertThat(texts(pair.contoso.queue("orders"))).hasSize(dead ? 0 : 1);
        }
    }

    @Test
    @DisplayName("PAIR-47: if dead-lettering fails, the message is left for later")
    void survivesAFailedDeadLetter() {
        Pair pair = syphoningOne();
        pair.fabrikam.fail("deadLetter " + FIRST, SdkErrors::communication);
        pair.fabrikam.store(FIRST, message("foreign").getRawAmqpMessage());
        pair.fabrikam.heal();
        pair.clock.advance(Duration.ofMinutes(2));

        assertThat(pair.fabrikam.queue(FIRST).deadLetters).hasSize(1);
    }

    @Test
    @DisplayName("PAIR-48: after a transient failure a receive is retried after SyphonRetryInterval")
    void triesToReceiveAgain() {
        Pair pair = syphoningOne();
        pair.fabrikam.fail("receive " + FIRST, SdkErrors::communication);
        pair.clock.advance(Duration.ofMinutes(15));
        pair.fabrikam.forgetCalls();
        pair.clock.advance(Duration.ofSeconds(10));
        assertThat(pair.fabrikam.count("receive " + FIRST)).isEqualTo(10);

        pair.fabrikam.heal();
        park(pair, FIRST, "orders", message("m"));
        pair.clock.advance(Duration.ofSeconds(1));
        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("m");
    }

    @Test
    @DisplayName("PAIR-48: unauthorized or no such queue: the receiver is closed, and opened again with growing pauses")
    void stopsUntilTheNextCycle() {
        for (Supplier<Throwable> failure : List.<Supplier<Throwable>>of(SdkErrors::unauthorized, SdkErrors::notFound)) {
            Pair pair = syphoning(options -> options.backlogQueueCount(2));
            pair.fabrikam.fail("receive " + FIRST, failure);
            pair.clock.advance(Duration.ofMinutes(15));
            assertThat(pair.fabrikam.openInlets()).isEqualTo(1);
            pair.fabrikam.forgetCalls();
            pair.clock.advance(Duration.ofHours(1));
            assertThat(pair.fabrikam.count("receive " + FIRST)).isBetween(29L, 37L);
            assertThat(pair.fabrikam.openInlets()).isEqualTo(1);

            pair.fabrikam.heal();
            park(pair, FIRST, "orders", message("m"));
            park(pair, BACKLOG + 1, "orders", message("n"));
            pair.clock.advance(Duration.ofMinutes(2));
            assertThat(texts(pair.contoso.queue("orders"))).containsExactlyInAnyOrder("n", "m");
        }
    }

    @Test
    @DisplayName("PAIR-40: a backlog queue that is created later is found")
    void findsAQueueThatAppearsLater() {
        Pair pair = new Pair();
        Syphon syphon = Syphon.start(pair.primary, pair.options(options -> options.backlogQueueCount(1)));
        pair.clock.advance(Duration.ofHours(1));
        pair.fabrikam.with(FIRST);
        park(pair, FIRST, "orders", message("m"));
        pair.clock.advance(Duration.ofMinutes(2));

        assertThat(syphon.figures().delivered()).isEqualTo(1);
        assertThat(pair.fabrikam.calls()).noneMatch(call -> call.startsWith("create"));
    }

    @Test
    @DisplayName("PAIR-49: a message that the syphon cannot send is not diverted again, even if its path is failed"
            + " over here")
    void divertsNothingAgain() {
        Pair pair = syphoning(options -> options.backlogQueueCount(3).failoverInterval(Duration.ZERO));
        pair.contoso.fail(SdkErrors::communication);
        MessageSender sender = pair.primary.createMessageSender("orders");
        sender.send(message("m"));
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.FAILED_OVER);
        List<String> where = pair.backlogQueuesInUse();
        pair.fabrikam.forgetCalls();
        pair.clock.advance(Duration.ofMinutes(10));

        assertThat(pair.backlogQueuesInUse()).isEqualTo(where).hasSize(1);
        assertThat(pair.backlogTexts()).containsExactly("m");
        assertThat(pair.fabrikam.calls()).noneMatch(call -> call.startsWith("send"));
    }

    @Test
    @DisplayName("PAIR-49: failures and successes of the syphon do not change the state of a path for senders")
    void staysOutOfTheStateMachine() {
        Pair pair = syphoningOne();
        pair.contoso.fail("send orders", SdkErrors::communication);
        park(pair, FIRST, "orders", message("m"));
        pair.clock.advance(Duration.ofMinutes(5));
        assertThat(pair.primary.state("orders")).isEqualTo(PathState.HEALTHY);
        assertThat(pair.changes).isEmpty();
    }

    @Test
    @DisplayName("PAIR-51, PAIR-56, PAIR-61: a delivered message is unchanged: full time to live, no trace of the"
            + " backlog")
    void restoresMessages() {
        Pair pair = syphoning(options -> options.backlogQueueCount(1).failoverInterval(Duration.ZERO));
        pair.contoso.fail(SdkErrors::communication);
        Instant schedule = ManualClock.START.plusSeconds(600);
        ServiceBusMessage message = message("m")
                .setSessionId("s")
                .setPartitionKey("s")
                .setMessageId("id")
                .setTimeToLive(Duration.ofHours(1))
                .setScheduledEnqueueTime(OffsetDateTime.ofInstant(schedule, ZoneOffset.UTC));
        message.getApplicationProperties().put("own", 5);
        pair.primary.createMessageSender("orders").send(message);
        pair.clock.advance(Duration.ofMinutes(30));
        pair.contoso.heal();
        pair.clock.advance(Duration.ofMinutes(1));

        FakeQueue.Stored home = pair.contoso.queue("orders").messages.get(0);
        assertThat(home.content).usingRecursiveComparison().isEqualTo(message.getRawAmqpMessage());
        assertThat(home.enqueuedAt).isAfter(ManualClock.START.plus(Duration.ofMinutes(30)));
        assertThat(home.content.getHeader().getTimeToLive())
                .as("counted from its arrival")
                .isEqualTo(Duration.ofHours(1));
    }

    @Test
    @DisplayName("PAIR-43: a message whose lock is about to expire is not sent, but left for the next delivery")
    void sendsNothingWithoutALock() {
        Pair pair = syphoningOne();
        pair.contoso.hold("send orders");
        for (int i = 0; i < 40; i++) {
            park(pair, FIRST, "orders", message("m" + i));
        }
        // One poll received the first message. The others wait in the queue until it is done.
        pair.clock.advance(Duration.ofSeconds(61));
        pair.contoso.release("send orders", SdkErrors.timeout());
        pair.clock.advance(Duration.ofMinutes(3));

        assertThat(texts(pair.contoso.queue("orders"))).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("18.6: a closed syphon has no receiver, no timer and no link; both factories stay open")
    void stops() {
        Pair pair = syphoning(options -> options);
        park(pair, FIRST, "orders", message("m"));
        pair.primary.syphon().close();
        pair.primary.syphon().close();

        park(pair, FIRST, "orders", message("n"));
        pair.clock.advance(Duration.ofHours(1));

        assertThat(pair.fabrikam.openInlets()).isZero();
        assertThat(pair.contoso.openOutlets()).isZero();
        assertThat(pair.clock.waiting()).isZero();
        assertThat(texts(pair.contoso.queue("orders"))).containsExactly("m");
        assertThat(pair.primary.state()).isEqualTo(FactoryState.OPEN);
        assertThat(pair.secondary.state()).isEqualTo(FactoryState.OPEN);
    }

    @Test
    @DisplayName("PAIR-43: after a broker reports a lost lock, messages delivered with such locks are not sent twice")
    void sendsNothingWhoseLockIsForgotten() {
        Pair pair = Pair.with(
                options -> options.enableSyphon(true).backlogQueueCount(1).syphonBatch(10));
        List<String> firstTen = IntStream.range(0, 10).mapToObj(i -> "m" + i).toList();
        for (int i = 0; i < 40; i++) {
            park(pair, FIRST, "orders", message("m" + i));
        }
        pair.fabrikam.fail(
                "complete " + FIRST,
                () -> SdkErrors.of(false, com.azure.core.amqp.exception.AmqpErrorCondition.MESSAGE_LOCK_LOST));
        pair.clock.seconds(1);
        assertThat(texts(pair.contoso.queue("orders"))).containsExactlyElementsOf(firstTen);

        pair.fabrikam.heal();
        pair.clock.advance(Duration.ofMinutes(2));

        assertThat(texts(pair.contoso.queue("orders")))
                .hasSize(50)
                .filteredOn(firstTen::contains)
                .hasSize(20);
        assertThat(pair.backlog()).isEmpty();
    }

    @Test
    @DisplayName("18.6: a syphon needs open factories")
    void needsOpenFactories() {
        Pair pair = new Pair();
        pair.secondary.close();
        assertThatIllegalStateException().isThrownBy(() -> Syphon.start(pair.primary, pair.options(o -> o)));
    }
}
