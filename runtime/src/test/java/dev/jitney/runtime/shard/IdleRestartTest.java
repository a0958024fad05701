package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("IDLE-14, STATE-4: temporary entities across restarts, and very many of them")
class IdleRestartTest {
    private static final int COUNT = 3_000;

    private IdleScenario s;

    @BeforeEach
    void open() throws StoreException {
        s = new IdleScenario();
    }

    @Test
    @DisplayName("IDLE-14: idle 3 min, stopped for an hour -> deleted after 2 more minutes")
    void stop() throws StoreException {
        s.queue("q");
        s.topic("t");
        s.subscription("t", "s");
        s.restart("3:00", "1:03:00");
        s.assertThere("1:04:59", "t");
        s.assertThere("1:04:59", "t/subscriptions/s");
        s.assertGoesAt("1:05:00", "q");
        assertThat(s.f.namespace().entities()).isEmpty();
    }

    @Test
    @DisplayName("IDLE-14: idle time adds up across several stops, and an access restarts it")
    void severalStops() throws StoreException {
        s.queue("q");
        s.queue("used");
        s.restart("2:00", "1:00:00");
        s.restart("1:01:00", "2:00:00");
        s.at("2:01:00");
        s.peek(s.f.entity("used"));
        s.restart("2:01:30", "3:00:00");
        s.assertGoesAt("3:00:30", "q");
        s.assertGoesAt("3:04:30", "used");
    }

    @Test
    @DisplayName(
            "IDLE-14: a downtime that began before older ones, because the clock was set back, counts from its start")
    void clockSetBack() throws StoreException {
        s.queue("keepsDowntimes", q -> q.autoDeleteOnIdleMs(600 * IdleScenario.MINUTE_MS));
        s.restart("10:00", "15:00");
        s.restart("40:00", "50:00");
        s.restart("1:00:00", "18:00");
        s.queue("q");
        s.restart("20:00", "1:40:00");
        s.assertGoesAt("1:43:00", "q");
        assertThat(downtimes()).hasSize(2);
    }

    @Test
    @DisplayName("STATE-4: accesses that write no rows are exact after an orderly stop")
    void unwrittenAccess() throws StoreException {
        Entity q = s.queue("q");
        s.peek(q);
        s.at("0:20");
        s.peek(q);
        s.restart("0:25", "1:00:25");
        s.assertGoesAt("1:05:20", "q");
    }

    @Test
    @DisplayName("IDLE-14: after a kill the unrecorded time before it counts as downtime, at most half a minute")
    void kill() throws StoreException {
        s.queue("q");
        for (int second = 0; second <= 180; second += 30) {
            s.at("0:" + second);
        }
        s.kill("3:20", "1:03:20");
        s.assertThere("1:05:00", "q");
        s.assertGoesAt("1:05:20", "q");
    }

    @Test
    @DisplayName("CL-14, IDLE-14: time without a leader counts as downtime, with at most half a minute before it")
    void changeOfLeaders() throws StoreException {
        s.queue("q");
        for (int second = 0; second <= 180; second += 30) {
            s.at("0:" + second);
        }
        s.changeLeaders("3:20", "1:03:20");
        s.assertThere("1:05:00", "q");
        s.assertGoesAt("1:05:20", "q");
    }

    @Test
    @DisplayName("STATE-4, IDLE-7: a receiver that waited for hours until a kill has used the queue until then")
    void killedWhileWaitedFor() throws StoreException {
        Entity q = s.queue("q");
        s.topic("t");
        s.receive(s.subscription("t", "s"), SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        s.receive(q, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        s.at("2:59:45");
        s.kill("3:00:00", "4:00:00");
        s.assertGoesAt("4:05:00", "q");
        assertThat(s.f.namespace().entities()).isEmpty();
    }

    @Test
    @DisplayName("STATE-4, IDLE-7, PART-14: so it has if the queue or the topic is partitioned")
    void killedWhilePartitionedWasWaitedFor() throws StoreException {
        Entity q = s.queue("q", queue -> queue.enablePartitioning(true));
        s.ask(s.f.namespace()
                .createTopic(TopicDescription.named("t")
                        .autoDeleteOnIdleMs(IdleScenario.IDLE_MS)
                        .enablePartitioning(true)
                        .build()));
        s.receive(s.subscription("t", "s"), SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        s.receive(q, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        s.at("2:59:45");
        s.kill("3:00:00", "4:00:00");
        s.assertThere("4:04:59", "t");
        s.assertThere("4:04:59", "t/subscriptions/s");
        s.assertGoesAt("4:05:00", "q");
        assertThat(s.f.namespace().entities()).isEmpty();
    }

    @Test
    @DisplayName("IDLE-7, IDLE-10: the reasons that keep an entity also keep it across a restart")
    void keptOverRestart() throws StoreException {
        Entity scheduling = s.queue("scheduling");
        s.f.create("target");
        s.queue("forwarding", q -> q.forwardTo("target"));
        s.schedule(scheduling, "10:00:00");
        s.restart("5:00:00", "6:00:00");
        s.assertThere("9:59:59", "scheduling");
        s.at("10:00:00");
        s.assertGoesAt("10:05:00", "scheduling");
        s.assertThere("24:00:00", "forwarding");
    }

    @Test
    @DisplayName(
            "IDLE-14: a scheduled message that became due while the server was down restarts the idle time at startup")
    void activatedLate() throws StoreException {
        s.schedule(s.queue("q"), "30:00");
        s.restart("4:00", "1:00:00");
        s.assertGoesAt("1:05:00", "q");
    }

    @Test
    @DisplayName("IDLE-14: while the store does not work, idle time does not increase")
    void failedStore() {
        Entity q = s.queue("q");
        Entity used = s.queue("used");
        s.at("3:00");
        s.f.store.failNextCommit(Reason.IO, false);
        s.f.store.refuseReopens(1);
        s.f.send(used, "m");
        s.f.settle();
        assertThat(s.f.broker.trouble()).isNotNull();
        s.at("1:03:00");
        assertThat(s.f.broker.trouble()).isNull();
        assertThat(s.send(q, "m").isDone()).isTrue();
        s.assertGoesAt("1:05:00", "used");
        s.assertGoesAt("1:08:00", "q");
    }

    @Test
    @DisplayName("IDLE-14: while an operator has stopped the store, idle time does not increase")
    void stoppedStore() {
        s.queue("q");
        s.at("3:00");
        s.ask(s.f.broker.stopStore(0));
        s.at("1:03:00");
        s.ask(s.f.broker.startStore(0));
        s.assertGoesAt("1:05:00", "q");
    }

    @Test
    @DisplayName("IDLE-14: a deletion whose commit fails is repeated when the store works again")
    void failedDeletion() {
        s.queue("q");
        s.shortlyBefore("5:00");
        s.f.store.failNextCommit(Reason.IO, false);
        s.at("5:00");
        assertThat(s.f.broker.trouble()).isNull();
        assertThat(s.f.namespace().entity("q")).isNull();
        assertThat(s.f.store.size(Table.ENTITIES)).isZero();
    }

    @Test
    @DisplayName("IDLE-14: downtimes of several restarts are dropped once no entity needs them, and not before")
    void downtimesAreForgotten() throws StoreException {
        s.queue("q", q -> q.autoDeleteOnIdleMs(600 * IdleScenario.MINUTE_MS));
        s.restart("1:00", "2:00");
        s.restart("3:00", "4:00");
        assertThat(downtimes()).hasSize(2);
        s.peek(s.f.entity("q"));
        s.restart("5:00", "6:00");
        assertThat(downtimes()).hasSize(1);
        s.ask(s.f.namespace().deleteEntity("q"));
        s.restart("7:00", "8:00");
        assertThat(downtimes()).isEmpty();
    }

    @Test
    @DisplayName(
            "IDLE-14: the idle time of entities starts again if the data directory has no uptimes, as of an older version")
    void unknownUse() throws StoreException {
        s.queue("q");
        s.at("3:00");
        try (RowBatch batch = new RowBatch()) {
            batch.delete(Table.UPTIME, "alive".getBytes(StandardCharsets.US_ASCII));
            s.f.store.commit(batch);
        }
        s.kill("3:00", "240:00:00");
        s.assertGoesAt("240:05:00", "q");
    }

    private List<?> downtimes() {
        return new StoreRowReader(s.f.store).downtimes().all();
    }

    @Test
    @DisplayName(
            "without temporary entities nothing is written while the broker is idle; with them one row every half minute")
    void rowsInTimeOfRest() {
        s.f.create("permanent");
        long commits = s.f.store.commits();
        s.at("10:00");
        assertThat(s.f.store.commits()).isEqualTo(commits);
        assertThat(s.f.store.size(Table.UPTIME)).isZero();
        s.queue("q", q -> q.autoDeleteOnIdleMs(600 * IdleScenario.MINUTE_MS));
        commits = s.f.store.commits();
        for (int second = 601; second <= 660; second++) {
            s.at("0:" + second);
        }
        assertThat(s.f.store.commits() - commits).isEqualTo(2);
    }

    @Test
    @DisplayName("STATE-4: of the accesses that write no rows, one in half a minute is written for every entity")
    void accessesAreWrittenNowAndThen() throws StoreException {
        Entity q = s.f.create("permanent");
        long commits = s.f.store.commits();
        for (int second = 1; second <= 60; second++) {
            s.at("0:" + second);
            s.peek(q);
        }
        assertThat(q.accessedAtMs()).isEqualTo(s.f.nowMs);
        assertThat(s.f.store.commits() - commits).isEqualTo(2);
        long accessedAtMs = q.accessedAtMs();
        s.kill("1:00", "2:00");
        assertThat(s.f.entity("permanent").accessedAtMs()).isBetween(accessedAtMs - 30_000, accessedAtMs);
    }

    @Test
    @Timeout(60)
    @DisplayName("thousands of temporary queues cost a turn nothing and are deleted in slices, while others are served")
    void veryMany() {
        Entity busy = s.f.create("busy");
        List<Entity> used = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            s.f.namespace()
                    .createQueue(QueueDescription.named("q" + i)
                            .autoDeleteOnIdleMs(IdleScenario.IDLE_MS)
                            .build());
        }
        s.f.settle();
        assertThat(s.f.namespace().entities()).hasSize(COUNT + 1);
        for (int i = 0; i < 100; i++) {
            used.add(s.f.entity("q" + i * 30));
        }
        long startNanos = System.nanoTime();
        for (int i = 0; i < 2_000; i++) {
            s.send(busy, "m");
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        assertThat(tookMs).as("milliseconds for 2,000 turns").isLessThan(30_000);

        s.at("4:00");
        used.forEach(s::peek);
        s.shortlyBefore("5:00");
        s.f.nowMs++;
        s.f.turn();
        assertThat(s.f.namespace().entities()).as("a slice").hasSizeBetween(COUNT - 100, COUNT);
        assertThat(s.f.send(busy, "m").isThere()).isFalse();
        s.f.turn();
        assertThat(busy.counts().active()).as("served between slices").isEqualTo(2_001);
        s.f.settle();
        assertThat(s.f.namespace().entities()).hasSize(101);
        s.assertGoesAt("9:00", used.get(0).path());
        assertThat(s.f.namespace().entities()).hasSize(1);
        assertThat(s.f.store.size(Table.FRAGMENTS)).isEqualTo(1);
    }
}
