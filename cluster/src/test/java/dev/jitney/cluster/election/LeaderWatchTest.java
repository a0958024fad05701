package dev.jitney.cluster.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The watch over the leader")
class LeaderWatchTest {
    private static final long PATIENCE_MS = 400;

    private final Members members = new Members();
    private final Consensus consensus = new Consensus();
    private LeaderWatch watch = new LeaderWatch("b", consensus, members, PATIENCE_MS);

    @AfterEach
    void close() {
        members.end.countDown();
        watch.close();
    }

    @Test
    @DisplayName("makes this node a candidate when its process has ended, and another member knows the same (CL-90)")
    void candidate() throws Exception {
        members.opinions.put("c.3", new Opinion(true, 7, 40));
        watch.start();
        members.end.countDown();
        assertThat(consensus.candidacies.poll(20, TimeUnit.SECONDS)).isEqualTo("a.1");
        assertThat(watch.opinion("a.1", 7).ended()).isTrue();
        assertThat(watch.opinion("a.1", 8).ended()).as("a later leadership").isFalse();
        assertThat(watch.opinion("d.4", 7).ended()).as("another leader").isFalse();
    }

    @Test
    @DisplayName("makes it no candidate as long as the process of the leader may run, whatever others say (CL-9)")
    void alive() throws Exception {
        members.opinions.put("c.3", new Opinion(true, 7, 40));
        members.breaks = true;
        watch.start();
        members.end.countDown();
        assertThat(members.attempts.poll(20, TimeUnit.SECONDS)).isEqualTo("a.1");
        assertThat(members.attempts.poll(20, TimeUnit.SECONDS))
                .as("it connects again")
                .isEqualTo("a.1");
        assertThat(consensus.candidacies).isEmpty();
        assertThat(watch.opinion("a.1", 7).ended()).isFalse();
    }

    @Test
    @DisplayName(
            "makes it no candidate if no other member knows the same: its own view of the network may be wrong (CL-9)")
    void alone() throws Exception {
        members.opinions.put("c.3", new Opinion(false, 7, 40));
        watch.start();
        members.end.countDown();
        assertThat(members.asked.poll(20, TimeUnit.SECONDS)).isEqualTo("c.3");
        assertThat(members.asked.poll(20, TimeUnit.SECONDS)).as("it asks again").isEqualTo("c.3");
        assertThat(consensus.candidacies.poll(2 * PATIENCE_MS, TimeUnit.MILLISECONDS))
                .isNull();
    }

    @Test
    @DisplayName("leaves it to a member with more of the log, or with as much and an identity before this one")
    void leavesItToAnother() throws Exception {
        consensus.view = new Candidacy.View("b.2", "z.9", 7, List.of("a.1", "b.2", "z.9"));
        members.opinions.put("a.1", new Opinion(true, 7, 40));
        watch.start();
        members.end.countDown();
        assertThat(members.asked.poll(20, TimeUnit.SECONDS)).isEqualTo("a.1");
        assertThat(consensus.candidacies.poll(2 * PATIENCE_MS, TimeUnit.MILLISECONDS))
                .isNull();
        close();

        consensus.view = new Candidacy.View("b.2", "a.1", 7, List.of("a.1", "b.2", "c.3"));
        members.opinions.put("c.3", new Opinion(true, 7, 41));
        watch = new LeaderWatch("b", consensus, members, PATIENCE_MS);
        watch.start();
        assertThat(members.asked.poll(20, TimeUnit.SECONDS)).isEqualTo("c.3");
        assertThat(consensus.candidacies.poll(2 * PATIENCE_MS, TimeUnit.MILLISECONDS))
                .isNull();
    }

    @Test
    @DisplayName("needs three of five members, and sends no more requests")
    void five() throws Exception {
        consensus.view = new Candidacy.View("b.2", "a.1", 7, List.of("a.1", "b.2", "c.3", "d.4", "e.5"));
        members.opinions.put("c.3", new Opinion(true, 6, 99));
        members.opinions.put("d.4", new Opinion(false, 7, 40));
        watch.start();
        members.end.countDown();
        assertThat(members.asked.poll(20, TimeUnit.SECONDS)).isEqualTo("c.3");
        assertThat(members.asked.poll(20, TimeUnit.SECONDS)).isEqualTo("d.4");
        assertThat(members.asked.poll(20, TimeUnit.SECONDS)).as("silent").isEqualTo("e.5");
        assertThat(consensus.candidacies).isEmpty();
        members.opinions.put("d.4", new Opinion(true, 7, 39));
        assertThat(consensus.candidacies.poll(20, TimeUnit.SECONDS)).isEqualTo("a.1");
    }

    @Test
    @DisplayName("watches only a leader, and only if this node is a member and does not lead")
    void watchesLeaders() throws Exception {
        consensus.view = new Candidacy.View("b.2", "b.2", 7, List.of("a.1", "b.2", "c.3"));
        watch.start();
        assertThat(members.attempts.poll(300, TimeUnit.MILLISECONDS)).isNull();
        consensus.view = new Candidacy.View("x.8", "a.1", 7, List.of("a.1", "b.2", "c.3"));
        assertThat(members.attempts.poll(300, TimeUnit.MILLISECONDS)).isNull();
        consensus.view = new Candidacy.View("b.2", null, 7, List.of("a.1", "b.2", "c.3"));
        assertThat(members.attempts.poll(300, TimeUnit.MILLISECONDS)).isNull();
        consensus.view = new Candidacy.View("b.2", "c.3", 8, List.of("a.1", "b.2", "c.3"));
        assertThat(members.attempts.poll(20, TimeUnit.SECONDS)).isEqualTo("c.3");
    }

    @Test
    @DisplayName("exchanges opinions in a fixed format, and refuses others")
    void format() throws Exception {
        Opinion opinion = new Opinion(true, 7, 40);
        assertThat(opinion.bytes()).hasSize(18).startsWith(1, 1);
        assertThat(Opinion.parse(opinion.bytes())).isEqualTo(opinion);
        for (byte[] bytes : List.of(new byte[0], new byte[18], new byte[19])) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> Opinion.parse(bytes));
        }
        byte[] neither = opinion.bytes();
        neither[1] = 2;
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> Opinion.parse(neither));
    }

    /** The other members: the process of the leader ends when the test says so. */
    private static final class Members implements OtherMembers {
        final Map<String, Opinion> opinions = new ConcurrentHashMap<>();
        final BlockingQueue<String> attempts = new LinkedBlockingQueue<>();
        final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        final CountDownLatch end = new CountDownLatch(1);
        volatile boolean breaks;

        @Override
        public boolean awaitEnd(String identity, BooleanSupplier wanted) throws IOException {
            attempts.add(identity);
            try {
                while (!end.await(10, TimeUnit.MILLISECONDS)) {
                    if (!wanted.getAsBoolean()) {
                        return false;
                    }
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (breaks) {
                throw new IOException("The connection breaks.");
            }
            return true;
        }

        @Override
        public Opinion opinion(String identity, String leader, long term) throws IOException {
            asked.add(identity);
            Opinion opinion = opinions.get(identity);
            if (opinion == null) {
                throw new IOException("It does not answer.");
            }
            return opinion;
        }
    }

    /** The consensus on node b, with 41 entries of term 7. */
    private static final class Consensus implements Candidacy {
        final BlockingQueue<String> candidacies = new LinkedBlockingQueue<>();
        volatile View view = new View("b.2", "a.1", 7, List.of("a.1", "b.2", "c.3"));

        @Override
        public View view() {
            return view;
        }

        @Override
        public Opinion opinion(boolean ended) {
            return new Opinion(ended, 7, 40);
        }

        @Override
        public boolean replace(String leader) {
            candidacies.add(leader);
            return true;
        }
    }
}
