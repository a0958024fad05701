package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests to the operator API about jobs. */
final class JobApi {
    private static final String JOBS = OperatorServer.PREFIX + "/jobs";

    private final OperatorServer server;

    JobApi(NamespaceClients clients) {
        server = new OperatorServer(clients);
    }

    /** Returns all jobs, the newest first. */
    List<Map<String, @Nullable Object>> all() {
        return OperatorApi.documents(server.get(JOBS), "jobs");
    }

    Map<String, @Nullable Object> find(String id) {
        return server.get(JOBS + "/" + OperatorServer.encoded(id));
    }

    /**
     * Pauses, resumes or cancels a job.
     *
     * @param verb the word in the path
     * @return the job
     */
    Map<String, @Nullable Object> control(String id, String verb) {
        return server.post(JOBS + "/" + OperatorServer.encoded(id) + "/" + verb, Map.of());
    }
}
