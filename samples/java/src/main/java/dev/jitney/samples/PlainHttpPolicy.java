package dev.jitney.samples;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.UrlBuilder;
import java.net.MalformedURLException;
import reactor.core.publisher.Mono;

/** Redirects requests of the administration client from HTTPS port 443 to a port without TLS. */
public final class PlainHttpPolicy implements HttpPipelinePolicy {
    private final int port;

    public PlainHttpPolicy(int port) {
        this.port = port;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        redirect(context);
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        redirect(context);
        return next.processSync();
    }

    private void redirect(HttpPipelineCallContext context) {
        try {
            context.getHttpRequest()
                    .setUrl(UrlBuilder.parse(context.getHttpRequest().getUrl())
                            .setScheme("http")
                            .setPort(port)
                            .toUrl());
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
