package dev.jitney.cli.connection;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import reactor.core.publisher.Mono;

/**
 * Redirects requests of the administration client from {@code https://HOST:443}, the only address it supports, to the
 * server's address. The token keeps its signature: servers compare its audience without scheme and port (HTTP 1.3).
 */
final class AdminUrlPolicy implements HttpPipelinePolicy {
    private final URI target;

    AdminUrlPolicy(URI target) {
        this.target = target;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        redirect(context.getHttpRequest());
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        redirect(context.getHttpRequest());
        return next.processSync();
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_RETRY;
    }

    private void redirect(HttpRequest request) {
        URL url = request.getUrl();
        try {
            request.setUrl(new URL(target.getScheme(), target.getHost(), target.getPort(), url.getFile()));
        } catch (MalformedURLException e) {
            throw new IllegalStateException("http and https are known to every Java", e);
        }
    }
}
