package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A broker with entities that are deleted after five idle minutes. Times are relative to the start of the scenario. */
public final class IdleScenario {
    static final long MINUTE_MS = 60_000;
    static final long IDLE_MS = 5 * MINUTE_MS;

    final BrokerFixture f;
    private final long startMs;

    public IdleScenario() throws StoreException {
        this(BrokerFixture.options("ns"));
    }

    IdleScenario(BrokerOptions options) throws StoreException {
        f = new BrokerFixture(options, new InMemoryMessagingStore());
        startMs = f.nowMs;
    }

    /** Advances the clock to a time since the start, as minutes and seconds, or hours too. */
    public void at(String time) {
        f.nowMs = startMs + millis(time);
        f.settle();
    }

    /** Advances the clock to the last millisecond before a time. */
    void shortlyBefore(String time) {
        f.nowMs = startMs + millis(time) - 1;
        f.settle();
    }

    private static long millis(String time) {
        long seconds = 0;
        for (String part : time.split(":")) {
            seconds = seconds * 60 + Long.parseLong(part);
        }
        return seconds * 1000;
    }

    void assertGoesAt(String time, String path) {
        shortlyBefore(time);
        assertThat(f.namespace().entity(path))
                .as("%s shortly before %s", path, time)
                .isNotNull();
        at(time);
        assertThat(f.namespace().entity(path)).as("%s at %s", path, time).isNull();
    }

    void assertThere(String time, String path) {
        at(time);
        assertThat(f.namespace().entity(path)).as("%s at %s", path, time).isNotNull();
    }

    /** Stops the server in good order and starts it again at a later time. */
    void restart(String stopped, String started) throws StoreException {
        at(stopped);
        f.broker.close();
        startAgain(started);
    }

    /** Kills the server and starts it again at a later time. */
    void kill(String killed, String started) throws StoreException {
        at(killed);
        startAgain(started);
    }

    /** Ends a term as when the leadership was lost, and begins the next one at a later time. */
    void changeLeaders(String ended, String begun) throws StoreException {
        at(ended);
        f.broker.abandon();
        f.broker.close();
        startAgain(begun);
    }

    private void startAgain(String started) throws StoreException {
        f.nowMs = startMs + millis(started);
        f.crash();
        f.settle();
    }

    // --- entities ---

    public Entity queue(String name) {
        return queue(name, q -> q);
    }

    public Entity queue(String name, UnaryOperator<QueueDescription.Builder> description) {
        return f.create(description
                .apply(QueueDescription.named(name).autoDeleteOnIdleMs(IDLE_MS))
                .build());
    }

    Entity topic(String name) {
        return ask(f.namespace()
                .createTopic(
                        TopicDescription.named(name).autoDeleteOnIdleMs(IDLE_MS).build()));
    }

    Entity permanentTopic(String name) {
        return ask(f.namespace().createTopic(TopicDescription.named(name).build()));
    }

    Entity subscription(String topic, String name) {
        return subscribe(SubscriptionDescription.of(topic, name)
                .autoDeleteOnIdleMs(IDLE_MS)
                .build());
    }

    Entity permanentSubscription(String topic, String name) {
        return subscribe(SubscriptionDescription.of(topic, name).build());
    }

    Entity subscribe(SubscriptionDescription description) {
        return ask(f.namespace().createSubscription(description, RuleDescription.takeEverything()));
    }

    <T> T ask(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    // --- messages ---

    Answer command(Entity entity, Command command) {
        Answer answer = f.submit(entity, command);
        f.settle();
        return answer;
    }

    Answer send(Entity entity, String... bodies) {
        Answer answer = f.send(entity, bodies);
        f.settle();
        return answer;
    }

    /** Sends one message with custom properties. */
    Answer send(Entity entity, @Nullable String id, @Nullable String session, long timeToLiveMs, boolean ping) {
        return command(entity, new Command.SendMessages(List.of(message(id, session, timeToLiveMs, 0, ping))));
    }

    /** Schedules a message and returns its number. */
    long schedule(Entity entity, String time) {
        IncomingMessage message = message(null, null, MessageView.NEVER, startMs + millis(time), false);
        Answer answer = command(entity, new Command.SendMessages(List.of(message)));
        return ((Reply.Sent) answer.reply()).sequenceNumbers()[0];
    }

    private static IncomingMessage message(
            @Nullable String id, @Nullable String session, long timeToLiveMs, long scheduledMs, boolean ping) {
        IncomingMessage plain = BrokerFixture.message("m");
        return IncomingMessage.of(plain.content())
                .messageId(id)
                .timeToLiveMs(timeToLiveMs)
                .ping(ping)
                .sizes(plain.encodedSizeBytes(), 0, 0)
                .sent(session, scheduledMs)
                .build();
    }

    /** Locks messages with a receiver that has exactly that much credit. */
    List<UUID> lock(Entity entity, int count) {
        return receive(entity, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, count).messages.stream()
                .map(message -> Objects.requireNonNull(message.lockToken()))
                .toList();
    }

    Listening receive(Entity entity, SubQueue subQueue, ReceiveMode mode, int credit) {
        Listening listening = new Listening();
        listening.receiver = entity.attach(subQueue, mode, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(credit, false);
        f.settle();
        return listening;
    }

    /** Receives all available messages and detaches. */
    void receiveAndLeave(Entity entity, SubQueue subQueue) {
        Listening listening = new Listening();
        listening.receiver =
                entity.attach(subQueue, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(10, true);
        f.settle();
        assertThat(listening.drained).containsExactly(10L);
        listening.receiver.detach();
        f.settle();
    }

    Listening accept(Entity entity, @Nullable String session, long waitMs) {
        Listening listening = new Listening();
        listening.receiver = entity.acceptSession(
                session, ReceiveMode.PEEK_LOCK, waitMs, Runnable::run, listening, listening.attached);
        f.settle();
        return listening;
    }

    void peek(Entity entity) {
        assertThat(command(entity, new Command.PeekMessages(SubQueue.MAIN, 1, 10, null))
                        .isDone())
                .isTrue();
    }
}
