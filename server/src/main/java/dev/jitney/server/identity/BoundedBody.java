package dev.jitney.server.identity;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of a response of the identity provider, up to a limit. A larger one fails with {@link KeysUnreadableException}. */
final class BoundedBody implements HttpResponse.BodySubscriber<String> {
    private final URI address;
    private final CompletableFuture<String> text = new CompletableFuture<>();
    private final ByteBuffer bytes;
    private Flow.@Nullable Subscription subscription;

    /**
     * @param address  the address of the request, for the message of an error
     * @param bytesMax the limit
     */
    BoundedBody(URI address, int bytesMax) {
        this.address = address;
        this.bytes = ByteBuffer.allocate(bytesMax);
    }

    @Override
    public CompletionStage<String> getBody() {
        return text;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (part.remaining() > bytes.remaining()) {
                if (subscription != null) {
                    subscription.cancel();
                }
                text.completeExceptionally(new KeysUnreadableException("Expected at most " + bytes.capacity()
                        + " bytes from " + address + ", but the document is larger."));
                return;
            }
            bytes.put(part);
        }
    }

    @Override
    public void onError(Throwable failure) {
        text.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        text.complete(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
    }
}
