package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.shard.entity.HostedEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("QUOTA-12: the shares of clients in open transactions")
class TransactionSharesTest {
    private final TransactionShares shares = new TransactionShares();

    @Test
    @DisplayName("the youngest transaction with messages of the client that holds most is displaced")
    void youngestOfLargest() {
        shares.set(new Handle("a", 1), 100);
        shares.set(new Handle("a", 2), 500);
        shares.set(new Handle("a", 3), 0);
        shares.set(new Handle("b", 4), 550);

        assertThat(shares.displacedForBytes("c", 10, 1_150)).isEqualTo(2);
        shares.remove(new Handle("a", 2));
        assertThat(shares.displacedForBytes("c", 10, 1_150)).isEqualTo(4);
    }

    @Test
    @DisplayName("a client displaces none if it would have more than an equal share, or more than all others")
    void noShare() {
        shares.set(new Handle("a", 1), 600);
        shares.set(new Handle("b", 2), 300);

        assertThat(shares.displacedForBytes("b", 200, 900)).isNull();
        assertThat(shares.displacedForBytes("b", 150, 900)).isEqualTo(1);
        assertThat(shares.displacedForBytes("c", 301, 900)).isNull();
        assertThat(shares.displacedForBytes("c", 300, 900)).isEqualTo(1);
        assertThat(shares.displacedForBytes("a", 0, 2_000)).isNull();
    }

    @Test
    @DisplayName("the number of transactions is shared like their bytes")
    void number() {
        for (int i = 0; i < 9; i++) {
            shares.set(new Handle("a", i), 0);
        }
        shares.set(new Handle("b", 9), 1_000);

        assertThat(shares.displacedForOne("b", 10)).isEqualTo(8);
        assertThat(shares.displacedForOne("c", 10)).isEqualTo(8);
        assertThat(shares.displacedForOne("a", 10)).isNull();
    }

    /** A transaction of a client. */
    private record Handle(Object client, long id) implements TransactionHandle {
        @Override
        public HostedEntity via() {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Rejection lost() {
            return null;
        }

        @Override
        public void lose(Rejection reason) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void spoil(Rejection reason) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Rejection failed() {
            return null;
        }

        @Override
        public @Nullable Rejection spend(long steps) {
            return null;
        }
    }
}
