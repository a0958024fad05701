package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutionException;

/** The creation of queues with the request of the Java administration client (HTTP reference 2.3 and 2.4). */
public final class QueueCreation {
    private static final String QUEUE = "<QueueDescription"
            + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
            + "<LockDuration>PT1M</LockDuration><MaxSizeInMegabytes>1024</MaxSizeInMegabytes>"
            + "<RequiresDuplicateDetection>false</RequiresDuplicateDetection><RequiresSession>false</RequiresSession>"
            + "<DefaultMessageTimeToLive>P10675199DT2H48M5.477S</DefaultMessageTimeToLive>"
            + "<DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration>"
            + "<DuplicateDetectionHistoryTimeWindow>PT1M</DuplicateDetectionHistoryTimeWindow>"
            + "<MaxDeliveryCount>10</MaxDeliveryCount><EnableBatchedOperations>true</EnableBatchedOperations>"
            + "<Status>Active</Status><AutoDeleteOnIdle>P10675199DT2H48M5.477S</AutoDeleteOnIdle>"
            + "<EnablePartitioning>false</EnablePartitioning></QueueDescription>";
    private static final int CREATED = 201;

    private final Administration administration;

    public QueueCreation(Endpoint endpoint, int httpPort) {
        this.administration = new Administration(endpoint, httpPort);
    }

    /**
     * Creates one queue.
     *
     * @throws IOException if the server does not confirm the creation
     */
    public void create(String name) throws IOException, InterruptedException {
        HttpResponse<String> answer;
        try {
            answer = administration.create(name, QUEUE).get();
        } catch (ExecutionException e) {
            throw new IOException("Expected an answer for " + name + ", but got none.", e.getCause());
        }
        if (answer.statusCode() != CREATED) {
            throw new IOException(
                    "Expected status 201 for " + name + ", but got " + answer.statusCode() + ": " + answer.body());
        }
    }
}
