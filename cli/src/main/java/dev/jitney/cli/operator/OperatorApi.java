package dev.jitney.cli.operator;

import com.azure.core.exception.HttpResponseException;
import dev.jitney.cli.connection.Failures;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerApi;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.output.Failure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests to the operator API for the messages of one entity. A refusal of the server is a {@link Failure} with its message. */
final class OperatorApi {
    /** The maximum of messages on a page, and in one request that changes them. */
    static final int MESSAGES_MAX = 250;

    private static final String ENTITIES = "/$operator/v1/entities/";

    private final ServerApi server;
    private final String entity;
    private final String messages;

    OperatorApi(NamespaceClients clients, EntityAddress address) {
        server = clients.server();
        entity = ENTITIES + encoded(address.toString());
        messages = entity + "/messages";
    }

    /**
     * Searches for messages.
     *
     * @param parameters the parameters of the query, not encoded
     */
    Map<String, @Nullable Object> search(Map<String, String> parameters) {
        List<String> query = new ArrayList<>();
        parameters.forEach((name, value) -> query.add(name + "=" + encoded(value)));
        return ask(() -> server.get(messages + "?" + String.join("&", query)));
    }

    /** Returns one message as a whole. */
    Map<String, @Nullable Object> message(long sequenceNumber) {
        return ask(() -> server.get(messages + "/" + sequenceNumber));
    }

    /**
     * Performs an operation on messages.
     *
     * @param act its name in the path
     * @param members further members of the body
     * @return the document with a result for each message
     */
    Map<String, @Nullable Object> act(String act, List<Long> sequenceNumbers, Map<String, ?> members) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>(members);
        body.put(
                "sequenceNumbers", sequenceNumbers.stream().map(String::valueOf).toList());
        return ask(() -> server.post(messages + "/" + act, body));
    }

    /**
     * Sends a changed message.
     *
     * @param to the destination, or null for the entity of the message
     */
    Map<String, @Nullable Object> edit(
            long sequenceNumber,
            Map<String, @Nullable Object> changes,
            @Nullable EntityAddress to,
            boolean keepsOriginal) {
        String query = "?keepOriginal=" + keepsOriginal + (to == null ? "" : "&to=" + encoded(to.toString()));
        return ask(() -> server.post(messages + "/" + sequenceNumber + "/edit" + query, changes));
    }

    /**
     * Explains where a message would go.
     *
     * @param after the member {@code next} of the page before, or empty text
     */
    Map<String, @Nullable Object> explain(Map<String, @Nullable Object> message, String after) {
        return ask(() -> server.post(entity + "/explain?after=" + encoded(after), message));
    }

    /** Returns the documents in a member. */
    static List<Map<String, @Nullable Object>> documents(Map<String, @Nullable Object> answer, String member) {
        List<Map<String, @Nullable Object>> documents = new ArrayList<>();
        if (answer.get(member) instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> map) {
                    Map<String, @Nullable Object> document = new LinkedHashMap<>();
                    map.forEach((name, value) -> document.put(String.valueOf(name), value));
                    documents.add(document);
                }
            }
        }
        return documents;
    }

    /** Returns the sequence number of a message or of a result. */
    static long number(Map<String, @Nullable Object> document) {
        return Long.parseLong(String.valueOf(document.get("sequenceNumber")));
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
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
