package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.StoreException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PEEK-8: a peek that has to pass many messages leaves turns to the other entities of the shard")
class LongBrowsingTest {
    private static final int MESSAGES = 20_000;
    private static final Command PEEK = new Command.PeekMessages(SubQueue.MAIN, 0, 10, "no such session");

    private BrokerFixture f;
    private Entity deep;
    private Entity other;

    @BeforeEach
    void fill() throws StoreException {
        f = new BrokerFixture();
        deep = f.create("deep");
        other = f.create("other");
        for (int i = 0; i < MESSAGES / 1_000; i++) {
            f.submit(deep, new Command.SendMessages(Collections.nCopies(1_000, BrokerFixture.message("m"))));
        }
        f.settle();
    }

    @Test
    @DisplayName("clients of another queue get replies in each turn, and the peek gets its answer")
    void takesTurns() {
        List<Answer> peeks = List.of(f.submit(deep, PEEK), f.submit(deep, PEEK), f.submit(deep, PEEK));
        int turns = 0;
        while (!peeks.stream().allMatch(Answer::isThere)) {
            Answer sent = f.send(other, "m");
            f.turn();
            assertThat(sent.isDone()).isTrue();
            turns++;
        }
        assertThat(turns).isBetween(MESSAGES / 1_000, 3 * MESSAGES / 1_000);
        assertThat(peeks).allSatisfy(peek -> assertThat(peek.reply()).isEqualTo(new Reply.Messages(List.of())));
    }

    @Test
    @DisplayName("the peek is refused if the store fails meanwhile")
    void storeFails() {
        Answer peek = f.submit(deep, PEEK);
        f.turn();
        assertThat(peek.isThere()).isFalse();
        f.store.failNextCommit(StoreException.Reason.IO, false);
        f.send(other, "m");
        f.turn();
        assertThat(peek.rejection().code()).isEqualTo(ErrorCode.SERVER_BUSY);
    }
}
