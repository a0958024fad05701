package dev.jitney.testing.client;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import javax.net.ssl.SSLException;

/** TLS of a client that measures a server of its own, so that it checks no certificate. Any thread may call it. */
final class ClientTls {
    private static final SslContext CONTEXT = context();

    private ClientTls() {}

    private static SslContext context() {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("Expected TLS in this Java runtime.", e);
        }
    }

    static SslHandler handler(ByteBufAllocator buffers) {
        return CONTEXT.newHandler(buffers);
    }
}
