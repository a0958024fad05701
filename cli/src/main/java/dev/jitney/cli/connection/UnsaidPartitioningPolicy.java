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
 * Removes EnablePartitioning from the creation of a queue or topic if the user did not set it. The SDK always sends false, which
 * would override the default of the namespace (PART-5).
 */
public final class UnsaidPartitioningPolicy implements HttpPipelinePolicy {
    private static final String KEY = "jitney-unsaid-partitioning";
    private static final String ELEMENT = "<EnablePartitioning>false</EnablePartitioning>";

    UnsaidPartitioningPolicy() {}

    /** Returns the context for a creation without a value for EnablePartitioning. */
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
