package dev.jitney.paired;

import static dev.jitney.paired.Pair.failure;
import static dev.jitney.paired.Pair.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.paired.internal.failure.Results;
import dev.jitney.paired.internal.syphon.SyphonOutlets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class SyphonOutletsTest {
    private final FakeNamespace contoso = new FakeNamespace("contoso", new ManualClock());
    private final SyphonOutlets outlets = new SyphonOutlets(contoso);

    private CompletableFuture<Void> send(String path) {
        return Results.future(outlets.send(path, List.of(message("m")), new AtomicInteger()));
    }

    @Test
    @DisplayName("18.6: the number of links is bounded, and a link in use stays open until its send ends")
    void closesNoLinkInUse() {
        contoso.with("slow");
        contoso.hold("send slow");
        CompletableFuture<Void> slow = send("slow");
        for (int i = 0; i < 300; i++) {
            contoso.with("d" + i);
            assertThat(send("d" + i)).isCompleted();
        }
        assertThat(contoso.openOutlets()).isEqualTo(256 + 1);

        contoso.release("send slow", null);

        assertThat(slow).isCompleted();
        assertThat(contoso.openOutlets()).isEqualTo(256);
    }

    @Test
    @DisplayName("PAIR-43: a failure closes the link for the next try, once its other sends have ended")
    void leavesALinkThatFailed() {
        contoso.with("orders");
        contoso.hold("send orders");
        CompletableFuture<Void> first = send("orders");
        CompletableFuture<Void> second = send("orders");
        assertThat(contoso.openOutlets()).isEqualTo(1);

        contoso.release("send orders", SdkErrors.communication());
        assertThat(failure(first)).isNotNull();
        assertThat(failure(second)).isNotNull();
        assertThat(contoso.openOutlets()).isZero();
        assertThat(send("orders")).isCompleted();
        assertThat(contoso.openOutlets()).isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-47: a faulty message does not close the link")
    void keepsTheLinkWhenTheMessageIsAtFault() {
        contoso.with("orders");
        contoso.fail("send orders", SdkErrors::tooLarge);
        assertThat(failure(send("orders"))).isNotNull();
        assertThat(contoso.openOutlets()).isEqualTo(1);
    }

    @Test
    @DisplayName("18.6: after close no message is sent and no link stays open")
    void closes() {
        contoso.with("orders");
        assertThat(send("orders")).isCompleted();
        outlets.close();
        assertThat(contoso.openOutlets()).isZero();
        assertThat(failure(send("orders"))).isInstanceOf(IllegalStateException.class);
    }
}
