package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests to the operator API for the messages and sessions of one entity. */
final class OperatorApi {
    /** The maximum of messages on a page, and in one request that changes them. */
    static final int MESSAGES_MAX = 250;

    private static final String ENTITIES = OperatorServer.PREFIX + "/entities/";

    /** The number of messages of a job that has not counted them. */
    static final long UNKNOWN = -1;

    private final OperatorServer server;
    private final String entity;
    private final String messages;
    private final String sessions;

    OperatorApi(NamespaceClients clients, EntityAddress address) {
        server = new OperatorServer(clients);
        entity = ENTITIES + OperatorServer.encoded(address.toString());
        messages = entity + "/messages";
        sessions = entity + "/sessions";
    }

    /**
     * Searches for messages.
     *
     * @param parameters the parameters of the query, not encoded
     */
    Map<String, @Nullable Object> search(Map<String, String> parameters) {
        return server.get(messages, parameters);
    }

    /** Counts messages in groups. The parameters are not encoded. */
    Map<String, @Nullable Object> groups(Map<String, String> parameters) {
        return server.get(entity + "/groups", parameters);
    }

    /** Writes the note on a group of dead letters. */
    Map<String, @Nullable Object> note(String group, String text) {
        return server.put(
                entity + "/groups/" + OperatorServer.encoded(group) + "/note",
                new LinkedHashMap<>(Map.of("text", text)));
    }

    void deleteNote(String group) {
        server.delete(entity + "/groups/" + OperatorServer.encoded(group) + "/note");
    }

    /** Returns a page of sessions. The parameters are not encoded. */
    Map<String, @Nullable Object> sessions(Map<String, String> parameters) {
        return server.get(sessions, parameters);
    }

    Map<String, @Nullable Object> session(String id) {
        return server.get(sessions + "/" + OperatorServer.encoded(id));
    }

    Map<String, @Nullable Object> sessionState(String id) {
        return server.get(sessions + "/" + OperatorServer.encoded(id) + "/state");
    }

    /** @param unlocks whether to end the lock of the session as well */
    void clearSessionState(String id, boolean unlocks) {
        server.delete(sessions + "/" + OperatorServer.encoded(id) + "/state?unlock=" + unlocks);
    }

    void unlockSession(String id) {
        server.post(sessions + "/" + OperatorServer.encoded(id) + "/unlock");
    }

    /** Sends dead letters of a session again. The parameters are not encoded. */
    Map<String, @Nullable Object> resubmitSession(String id, Map<String, String> parameters) {
        return server.post(
                sessions + "/" + OperatorServer.encoded(id) + "/resubmit" + OperatorServer.query(parameters));
    }

    /**
     * Explains where a message would go.
     *
     * @param after the member {@code next} of the page before, or empty text
     */
    Map<String, @Nullable Object> explain(Map<String, @Nullable Object> message, String after) {
        return server.post(entity + "/explain?after=" + OperatorServer.encoded(after), message);
    }

    /** Returns one message as a whole. */
    Map<String, @Nullable Object> message(long sequenceNumber) {
        return server.get(messages + "/" + sequenceNumber);
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
        return server.post(messages + "/" + act, body);
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
        String query =
                "?keepOriginal=" + keepsOriginal + (to == null ? "" : "&to=" + OperatorServer.encoded(to.toString()));
        return server.post(messages + "/" + sequenceNumber + "/edit" + query, changes);
    }

    /**
     * Orders a job over the messages.
     *
     * @return the job
     */
    Map<String, @Nullable Object> order(Map<String, @Nullable Object> order) {
        return server.post(entity + "/jobs", order);
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
}
