package dev.jitney.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientMemoryTest {
    private static final long MIB = 1 << 20;

    private final ClientMemory memory = new ClientMemory(64 * MIB);

    /** A connection that closes immediately on request. */
    private static final class Connection implements MemoryAccount.Owner {
        private final MemoryAccount account;
        private int resumed;
        private boolean ended;

        Connection(ClientMemory memory) {
            account = memory.open(this);
        }

        static Connection authenticated(ClientMemory memory, String namespace) {
            Connection connection = new Connection(memory);
            connection.account.authenticated(namespace);
            return connection;
        }

        @Override
        public void end(String why) {
            ended = true;
            account.close();
        }

        @Override
        public void resume() {
            resumed++;
        }

        /** Takes pieces of so many bytes for as long as it has room. */
        long takeAll(long pieceBytes) {
            long taken = 0;
            while (!ended && account.room() >= 0) {
                account.hold(MemoryPurpose.UNFINISHED, pieceBytes);
                taken += pieceBytes;
            }
            return taken;
        }
    }

    @Test
    @DisplayName("QUOTA-8: a claim above seven eighths of the budget can never be made")
    void somethingLargerThanTheBudgetNeverFits() {
        assertThat(memory.mayEverHold(42 * MIB)).isTrue(); // of 48 MiB for authenticated connections
        assertThat(memory.mayEverHold(42 * MIB + 1)).isFalse();
        Connection connection = Connection.authenticated(memory, "n");
        assertThat(connection.account.tryHold(MemoryPurpose.RESPONSES, 42 * MIB))
                .isTrue();
    }

    @Test
    @DisplayName("QUOTA-8: one greedy connection gets half of the budget, n of them get 1/(n+1) each")
    void sharesAreFair() {
        for (int greedy : new int[] {1, 2, 5, 20}) {
            ClientMemory fresh = new ClientMemory(64 * MIB);
            long limit = 45 * MIB; // the rest is for connections without a credential, and for the state of new ones
            List<Connection> connections = new ArrayList<>();
            for (int i = 0; i < greedy; i++) {
                connections.add(Connection.authenticated(fresh, "one"));
            }
            for (int round = 0; round < 10_000; round++) {
                for (Connection connection : connections) {
                    if (connection.account.room() >= 0) {
                        connection.account.hold(MemoryPurpose.UNFINISHED, 16 * 1024);
                    }
                }
            }
            long share = limit / (greedy + 1);
            for (Connection connection : connections) {
                assertThat(connection.account.held(MemoryPurpose.UNFINISHED)).isBetween(share - MIB, share + MIB);
            }
            assertThat(fresh.freeBytes() - 3 * MIB).as("left for the next one").isBetween(share - MIB, share + MIB);
        }
    }

    @Test
    @DisplayName("QUOTA-8: a namespace leaves room for others, regardless of its number of connections")
    void namespacesShareToo() {
        Connection other = Connection.authenticated(memory, "other");
        for (int i = 0; i < 500; i++) {
            Connection.authenticated(memory, "greedy").takeAll(4 * 1024);
        }
        assertThat(other.takeAll(4 * 1024)).isGreaterThan(4 * MIB);
    }

    @Test
    @DisplayName(
            "QUOTA-8: the traffic of greedy connections keeps no new connection from its sessions and links, and all state together leaves room for traffic")
    void stateOfNewConnections() {
        long limit = 48 * MIB;
        for (int i = 0; i < 300; i++) {
            Connection.authenticated(memory, "greedy").takeAll(1_024);
        }
        Connection fresh = Connection.authenticated(memory, "greedy");
        for (int i = 0; i < 20; i++) {
            assertThat(fresh.account.mayHoldMoreState()).isTrue();
            fresh.account.hold(MemoryPurpose.STATE, 64 * 1024);
            fresh = Connection.authenticated(memory, "greedy");
        }
        fresh.account.hold(MemoryPurpose.STATE, 256 * 1024);
        assertThat(fresh.account.mayHoldMoreState()).as("much state").isFalse();

        ClientMemory other = new ClientMemory(64 * MIB);
        long state = 0;
        Connection small = Connection.authenticated(other, "n");
        while (small.account.mayHoldMoreState()) {
            small.account.hold(MemoryPurpose.STATE, 64 * 1024);
            state += 64 * 1024;
            small = Connection.authenticated(other, "n");
        }
        assertThat(state).isBetween(limit / 6 * 5, limit / 6 * 5 + MIB);
    }

    @Test
    @DisplayName(
            "QUOTA-8: when sessions and links are used up, the connection with the most is closed for one that has few, and for no other")
    void makesRoomForState() {
        List<Connection> large = new ArrayList<>();
        while (memory.hasRoomForState(MIB)) {
            Connection one = Connection.authenticated(memory, "n");
            one.account.hold(MemoryPurpose.STATE, MIB + large.size());
            large.add(one);
        }
        Connection last = large.get(large.size() - 1);
        assertThat(large.get(0).account.mayHoldMoreState()).isFalse();
        assertThat(large).noneMatch(connection -> connection.ended);

        assertThat(Connection.authenticated(memory, "n").account.mayHoldMoreState())
                .isTrue();
        assertThat(large).filteredOn(connection -> connection.ended).containsExactly(last);

        ClientMemory other = new ClientMemory(64 * MIB);
        while (other.hasRoomForState(0)) {
            Connection.authenticated(other, "n").account.hold(MemoryPurpose.STATE, 255 * 1024);
        }
        assertThat(Connection.authenticated(other, "n").account.mayHoldMoreState())
                .as("no connection has much")
                .isFalse();
    }

    @Test
    @DisplayName("QUOTA-8: the oldest unauthenticated connection is closed when all of them together hold too much")
    void theOldestUnauthenticatedConnectionGoes() {
        Connection known = Connection.authenticated(memory, "one");
        known.account.hold(MemoryPurpose.STATE, MIB);
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Connection connection = new Connection(memory);
            connection.account.hold(MemoryPurpose.UNFINISHED, 256 * 1024);
            connections.add(connection);
        }
        int open = (int) (16 * MIB / (256 * 1024));
        for (int i = 0; i < 100; i++) {
            assertThat(connections.get(i).ended).as("connection %d", i).isEqualTo(i < 100 - open);
        }
        assertThat(known.ended).isFalse();
        assertThat(memory.figures().closedUnauthenticated()).isEqualTo(100 - open);
    }

    @Test
    @DisplayName("QUOTA-8: no more connections are closed than necessary, even if closing takes time")
    void closingIsCounted() {
        List<String> ended = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            MemoryAccount account = memory.open(new MemoryAccount.Owner() {
                @Override
                public void end(String why) {
                    ended.add(why); // later
                }

                @Override
                public void resume() {}
            });
            account.hold(MemoryPurpose.UNFINISHED, 256 * 1024);
        }
        assertThat(ended).hasSize(70 - 64);
    }

    @Test
    @DisplayName("QUOTA-8: a waiting connection resumes as soon as there is room")
    void waitingEnds() {
        Connection greedy = Connection.authenticated(memory, "one");
        greedy.takeAll(MIB);
        assertThat(greedy.account.room()).isNegative();
        greedy.account.await(0);
        assertThat(greedy.resumed).isZero();
        greedy.account.hold(MemoryPurpose.UNFINISHED, -8 * MIB);
        assertThat(greedy.resumed).isEqualTo(1);
        assertThat(greedy.account.room()).isNotNegative();
    }

    @Test
    @DisplayName("QUOTA-8: one large answer is permitted when most of the budget is free, and only one at a time")
    void largeAnswersComeOneByOne() {
        Connection first = Connection.authenticated(memory, "one");
        Connection second = Connection.authenticated(memory, "one");
        assertThat(first.account.tryHold(MemoryPurpose.RESPONSES, 30 * MIB)).isTrue();
        assertThat(second.account.tryHold(MemoryPurpose.RESPONSES, 30 * MIB)).isFalse();
        second.account.await(30 * MIB);
        assertThat(second.account.tryHold(MemoryPurpose.RESPONSES, MIB)).isTrue();
        second.account.hold(MemoryPurpose.RESPONSES, -MIB);
        assertThat(second.resumed).isZero();
        first.account.hold(MemoryPurpose.RESPONSES, -30 * MIB);
        assertThat(second.resumed).isEqualTo(1);
        assertThat(second.account.tryHold(MemoryPurpose.RESPONSES, 30 * MIB)).isTrue();
    }

    @Test
    @DisplayName("QUOTA-8: connections without progress are closed when memory stays short, the largest first")
    void reliefClosesTheStalled() {
        List<Connection> stalled = new ArrayList<>();
        memory.relieve(0);
        for (int i = 0; i < 10; i++) {
            Connection connection = Connection.authenticated(memory, "one");
            connection.account.hold(MemoryPurpose.UNFINISHED, (4 + i / 2) * MIB);
            stalled.add(connection);
        }
        Connection working = Connection.authenticated(memory, "one");
        working.account.hold(MemoryPurpose.REQUESTS, 8 * MIB);
        for (long ms = 250; ms < 2_250; ms += 250) {
            memory.relieve(ms);
            working.account.hold(MemoryPurpose.REQUESTS, -1);
            assertThat(stalled).noneMatch(connection -> connection.ended);
        }
        memory.relieve(2_250);
        assertThat(stalled.get(9).ended).isTrue();
        assertThat(stalled.get(0).ended).isFalse();
        assertThat(working.ended).isFalse();
        for (long ms = 2_500; memory.isTight() && ms < 5_000; ms += 250) {
            memory.relieve(ms);
        }
        assertThat(memory.isTight()).isFalse();
    }

    @Test
    @DisplayName("QUOTA-8: all memory is released, in any sequence of calls")
    void nothingIsLeft() {
        long seed = 20_261_123L;
        Random random = new Random(seed);
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (connections.isEmpty() || random.nextInt(20) == 0) {
                connections.add(new Connection(memory));
            }
            Connection one = connections.get(random.nextInt(connections.size()));
            MemoryPurpose purpose = MemoryPurpose.values()[random.nextInt(MemoryPurpose.values().length)];
            switch (random.nextInt(6)) {
                case 0 -> one.account.authenticated("n" + random.nextInt(3));
                case 1 -> one.account.hold(purpose, -one.account.held(purpose));
                case 2 -> one.account.tryHold(purpose, random.nextInt(1 << 22));
                case 3 -> one.account.close();
                default -> one.account.hold(purpose, random.nextInt(1 << 18));
            }
            if (random.nextInt(50) == 0) {
                memory.relieve(i * 10L);
            }
        }
        connections.forEach(connection -> connection.account.close());
        MemoryFigures figures = memory.figures();
        assertThat(memory.freeBytes()).as("seed %d", seed).isEqualTo(48 * MIB);
        assertThat(memory.stateBytes()).as("seed %d", seed).isZero();
        assertThat(figures.unauthenticated().values()).containsOnly(0L);
        figures.namespaces()
                .values()
                .forEach(claims -> assertThat(claims.values()).containsOnly(0L));
        Connection late = new Connection(memory);
        late.account.hold(MemoryPurpose.STATE, 16 * MIB);
        assertThat(late.ended).as("nothing of the others counts any more").isFalse();
    }
}
