package dev.jitney.cli.connection;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import reactor.core.publisher.Mono;

/**
 * Takes EnablePartitioning out of the creation of a queue or topic whose user did not say it. The SDK always says false,
 * so that the setting of the namespace (PART-5) would never be asked.
 */
public final class UnsaidPartitioningPolicy implements HttpPipelinePolicy {
    private static final String KEY = "jitney-unsaid-partitioning";
    private static final String ELEMENT = "<EnablePartitioning>false</EnablePartitioning>";

    UnsaidPartitioningPolicy() {}

    /** For the call that creates a queue or topic and says nothing. */
    public static Context context() {
        return new Context(KEY, true);
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        takeOut(context);
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        takeOut(context);
        return next.processSync();
    }

    private static void takeOut(HttpPipelineCallContext context) {
        if (context.getData(KEY).isPresent()) {
            HttpRequest request = context.getHttpRequest();
            BinaryData body = request.getBodyAsBinaryData();
            if (body != null) {
                request.setBody(BinaryData.fromString(body.toString().replace(ELEMENT, "")));
            }
        }
    }
}
