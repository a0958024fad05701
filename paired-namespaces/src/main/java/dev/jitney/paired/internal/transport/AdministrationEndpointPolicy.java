package dev.jitney.paired.internal.transport;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import reactor.core.publisher.Mono;

/**
 * Redirects requests of the administration client from {@code https://HOST:443}, the only address it supports, to another
 * address. Tokens stay valid, because brokers compare their audience without scheme and port.
 */
final class AdministrationEndpointPolicy implements HttpPipelinePolicy {
    private final URI endpoint;

    AdministrationEndpointPolicy(URI endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        HttpRequest request = context.getHttpRequest();
        try {
            String path = request.getUrl().getFile();
            request.setUrl(new URL(endpoint.getScheme(), endpoint.getHost(), endpoint.getPort(), path));
        } catch (MalformedURLException e) {
            return Mono.error(e);
        }
        return next.process();
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_RETRY;
    }
}
