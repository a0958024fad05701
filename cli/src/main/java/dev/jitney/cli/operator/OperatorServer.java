package dev.jitney.cli.operator;

import com.azure.core.exception.HttpResponseException;
import dev.jitney.cli.connection.Failures;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerApi;
import dev.jitney.cli.output.Failure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server with the operator API, for the commands of operators. Its refusals are {@link Failure}s with their messages. */
public final class OperatorServer {
    /** The path of all operations. */
    public static final String PREFIX = "/$operator/v1";

    private final ServerApi server;

    public OperatorServer(NamespaceClients clients) {
        server = clients.server();
    }

    public Map<String, @Nullable Object> get(String path) {
        return ask(() -> server.get(path));
    }

    /** @param parameters the parameters of the query, not encoded */
    public Map<String, @Nullable Object> get(String path, Map<String, String> parameters) {
        return get(path + query(parameters));
    }

    /** Sends a request without a body. */
    public Map<String, @Nullable Object> post(String path) {
        return ask(() -> server.post(path));
    }

    public Map<String, @Nullable Object> delete(String path) {
        return ask(() -> server.delete(path));
    }

    public Map<String, @Nullable Object> post(String path, Map<String, @Nullable Object> body) {
        return ask(() -> server.post(path, body));
    }

    /** Returns a query with its question mark. The parameters are not encoded. */
    static String query(Map<String, String> parameters) {
        List<String> query = new ArrayList<>();
        parameters.forEach((name, value) -> query.add(name + "=" + encoded(value)));
        return "?" + String.join("&", query);
    }

    public Map<String, @Nullable Object> put(String path, Map<String, @Nullable Object> body) {
        return ask(() -> server.put(path, body));
    }

    private Map<String, @Nullable Object> ask(Supplier<Map<String, @Nullable Object>> request) {
        try {
            return request.get();
        } catch (HttpResponseException e) {
            throw translated(e);
        }
    }

    private RuntimeException translated(HttpResponseException e) {
        int status = e.getResponse() == null ? 0 : e.getResponse().getStatusCode();
        String message = Failures.jsonMessage(e);
        if (status == 401 || status == 0) {
            return e; // the translation of all commands has advice about keys
        } else if (message == null) {
            return new Failure(
                    Failure.FAULT,
                    "The server at " + server.url() + " has no operator API (status " + status
                            + "). This command needs a Jitney server of this version or later. Check --admin-url.",
                    e);
        }
        return new Failure(
                switch (status) {
                    case 400 -> Failure.BAD_OPTION;
                    case 404 -> Failure.NOT_FOUND;
                    default -> Failure.FAULT;
                },
                Failures.detail(e),
                e);
    }

    /** Encodes a segment of the path or a value of the query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
