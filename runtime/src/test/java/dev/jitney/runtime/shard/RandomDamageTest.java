package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Any row of one entity cannot be read, at any time, while all entities are used in every way that reads rows. */
@DisplayName("MSG-1, ADR 20: whatever row is damaged, the other entities go on, and nothing is lost once it is mended")
class RandomDamageTest {
    private static final int HISTORIES = 150;
    private static final int ROUNDS = 4;

    /** Rows of no entity, and those that say which entities there are. */
    private static final Set<Table> OF_THE_STORE =
            EnumSet.of(Table.META, Table.ENTITIES, Table.RULES, Table.PARTS, Table.UPTIME, Table.REMAINS);

    private static final List<String> PATHS =
            List.of("plain", "source", "duplicates", "sessions", "t", "t/subscriptions/a", "t/subscriptions/b");

    private Random random = new Random(0);
    private BrokerFixture f;

    /** Messages, and copies of them, that are in some entity for sure. */
    private int accepted;

    private int sent;

    /** How often the shard was seen to have read its store anew, and how often it may. */
    private int reopensSeen;

    private int reopensAllowed;

    @SuppressWarnings("NullAway.Init")
    RandomDamageTest() {}

    @Test
    @DisplayName("after random histories")
    void histories() throws StoreException {
        int found = 0;
        for (long seed = 1; seed <= HISTORIES; seed++) {
            try {
                found += history(seed) ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("Seed " + seed + ": " + e, e);
            }
        }
        assertThat(found).as("histories in which the damaged row was read").isGreaterThan(HISTORIES / 4);
    }

    /** Returns whether somebody has read the damaged row. */
    private boolean history(long seed) throws StoreException {
        random = new Random(seed);
        f = new BrokerFixture();
        accepted = 0;
        sent = 0;
        reopensSeen = 0;
        reopensAllowed = 1;
        f.create("plain");
        f.create(QueueDescription.named("source").forwardTo("plain").build());
        f.create(QueueDescription.named("duplicates")
                .requiresDuplicateDetection(true)
                .build());
        f.create(QueueDescription.named("sessions").requiresSession(true).build());
        settled(f.namespace().createTopic(TopicDescription.named("t").build()));
        for (String name : List.of("a", "b")) {
            settled(f.namespace()
                    .createSubscription(
                            SubscriptionDescription.of("t", name).build(), RuleDescription.takeEverything()));
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            useAll(null);
            defer("plain");
        }
        String victim = PATHS.get(random.nextInt(PATHS.size()));
        if (random.nextBoolean()) {
            restart();
        }
        damageARowOf(victim);
        for (int round = 0; round < ROUNDS; round++) {
            useAll(victim);
            if (random.nextInt(3) == 0) {
                restart();
            }
        }
        assertThat(f.broker.trouble()).isNull();
        boolean found = f.broker.damage() != null;
        mend();
        assertThat(f.broker.damage()).isNull();
        f.letPass(60_000);
        long total = 0;
        for (String path : PATHS) {
            total += f.entity(path).counts().total();
        }
        assertThat(total).isEqualTo(accepted);
        useAll(null);
        return found;
    }

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private void restart() throws StoreException {
        f.crash();
        reopensSeen = 0;
        reopensAllowed = 1;
        f.settle();
    }

    private void damageARowOf(String path) {
        int id = (int) ((ServedEntity) f.entity(path)).id();
        List<Table> tables = new ArrayList<>();
        for (Table table : Table.values()) {
            if (!OF_THE_STORE.contains(table) && !rows(table, id).isEmpty()) {
                tables.add(table);
            }
        }
        Table table = tables.get(random.nextInt(tables.size()));
        List<byte[]> rows = rows(table, id);
        byte[] damaged = rows.get(random.nextInt(rows.size()));
        f.store.damage(table, key -> Arrays.equals(key, damaged));
    }

    private List<byte[]> rows(Table table, int entityId) {
        return f.store.keys(table).stream()
                .filter(key -> ByteBuffer.wrap(key).getInt(0) == entityId)
                .toList();
    }

    private void mend() {
        f.store.mend();
        settled(f.broker.stopStore(0));
        settled(f.broker.startStore(0));
        reopensSeen = f.store.reopens();
        reopensAllowed = reopensSeen;
    }

    /** @param victim which may refuse, with all that has to do with it; null if none may */
    private void useAll(@Nullable String victim) {
        for (String path : PATHS) {
            boolean mayRefuse = victim != null && unit(path).equals(unit(victim));
            if (!path.contains("/")) {
                send(path, mayRefuse);
            }
            if (!path.equals("t")) {
                judge(path, mayRefuse, command(path, new Command.PeekMessages(SubQueue.MAIN, 0, 100, null)));
                if (!path.equals("source")) {
                    judge(path, mayRefuse, receive(path));
                }
            }
            f.letPass(random.nextInt(3) * 20_000);
        }
    }

    private static String unit(String path) {
        return path.startsWith("t/") ? "t" : path;
    }

    private void send(String path, boolean mayRefuse) {
        String id = "id" + sent++;
        IncomingMessage m = message("m");
        long dueMs = path.equals("sessions") || random.nextBoolean() ? 0 : f.nowMs + random.nextInt(60_000);
        IncomingMessage whole = IncomingMessage.of(m.content())
                .messageId(id)
                .timeToLiveMs(random.nextInt(4) == 0 ? 86_400_000 : m.timeToLiveMs())
                .sizes(m.encodedSizeBytes(), 0, 0)
                .sent(path.equals("sessions") ? "s" + random.nextInt(3) : null, dueMs)
                .build();
        Answer answer = command(path, new Command.SendMessages(List.of(whole)));
        judge(path, mayRefuse, answer);
        if (answer.isDone()) {
            accepted += path.equals("t") ? 2 : 1; // a copy for each subscription
        }
        if (path.equals("duplicates")) {
            judge(path, mayRefuse, command(path, new Command.SendMessages(List.of(whole))));
        }
    }

    private Answer command(String path, Command command) {
        Answer answer = f.submit(f.entity(path), command);
        f.letPass(300);
        return answer;
    }

    private Answer receive(String path) {
        Listening listening = new Listening();
        Entity entity = f.entity(path);
        listening.receiver = path.equals("sessions")
                ? entity.acceptSession(null, ReceiveMode.PEEK_LOCK, 1_000, Runnable::run, listening, listening.attached)
                : entity.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(100, false);
        f.letPass(1_500);
        listening.receiver.detach();
        f.letPass(300);
        return listening.attached;
    }

    private void defer(String path) {
        Listening listening = f.listen(f.entity(path), 1);
        f.settle();
        listening.messages.forEach(message -> command(
                path, new Command.DeferMessages(List.of(Objects.requireNonNull(message.lockToken())), Map.of())));
        listening.receiver.detach();
        f.settle();
    }

    /** All requests are answered; only what is out of service refuses, and whoever meets the moment it is found. */
    private void judge(String path, boolean mayRefuse, Answer answer) {
        assertThat(answer.isThere()).as(path).isTrue();
        int reopens = f.store.reopens();
        boolean found = reopens > reopensSeen;
        reopensSeen = reopens;
        assertThat(reopens).as("how often one damaged row ends the store").isLessThanOrEqualTo(reopensAllowed);
        if (!answer.isDone() && answer.rejection().code() != ErrorCode.TIMEOUT) {
            assertThat(mayRefuse || found)
                    .as("%s: %s", path, answer.rejection())
                    .isTrue();
            assertThat(answer.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        }
    }
}
