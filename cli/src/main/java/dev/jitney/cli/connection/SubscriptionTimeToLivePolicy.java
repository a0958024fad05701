package dev.jitney.cli.connection;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import dev.jitney.cli.value.Durations;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Adds DefaultMessageTimeToLive to the update of a subscription, because the SDK from 7.15 to 7.17 omits it (HTTP 2.4). Without
 * it the value could not be changed, and a service that reads an omission as the default would reset it.
 */
public final class SubscriptionTimeToLivePolicy implements HttpPipelinePolicy {
    private static final String KEY = "jitney-default-message-time-to-live";
    private static final String ELEMENT = "<DefaultMessageTimeToLive>";
    /** The element before DefaultMessageTimeToLive in the order of the data contract. */
    private static final String BEFORE = "</RequiresSession>";

    SubscriptionTimeToLivePolicy() {}

    /** Returns the context for the call that updates a subscription. */
    public static Context context(Duration timeToLive) {
        return new Context(KEY, timeToLive);
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        complete(context);
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        complete(context);
        return next.processSync();
    }

    private static void complete(HttpPipelineCallContext context) {
        context.getData(KEY).ifPresent(timeToLive -> {
            HttpRequest request = context.getHttpRequest();
            BinaryData body = request.getBodyAsBinaryData();
            String xml = body == null ? "" : body.toString();
            int end = xml.indexOf(BEFORE);
            if (end >= 0 && !xml.contains(ELEMENT)) {
                int at = end + BEFORE.length();
                request.setBody(BinaryData.fromString(xml.substring(0, at) + ELEMENT
                        + Durations.iso((Duration) timeToLive) + "</DefaultMessageTimeToLive>" + xml.substring(at)));
            }
        });
    }
}
