package dev.jitney.crash.support;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Outcome;
import dev.jitney.testing.client.SenderLink;
import java.util.concurrent.CompletableFuture;

/** A sender of one message. */
public final class Once implements SenderLink.Listener {
    private final byte[] message;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private boolean sent;

    /** @param message the encoded message */
    public Once(byte[] message) {
        this.message = message;
    }

    @Override
    public void ready(SenderLink link) {
        if (!sent && link.canSend()) {
            sent = true;
            link.send(message, this);
        }
    }

    @Override
    public void answered(Object context, Outcome answer) {
        outcome.complete(answer);
    }

    @Override
    public void closed(AmqpException reason) {
        outcome.completeExceptionally(reason);
    }

    public CompletableFuture<Outcome> outcome() {
        return outcome;
    }
}
