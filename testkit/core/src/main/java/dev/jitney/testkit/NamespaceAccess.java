package dev.jitney.testkit;

import dev.jitney.testkit.BrokerHttp.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One namespace, as the handles of its entities use it: requests with its key, and the last messages that the kit has sent, which
 * assertions explain. Any thread may call the methods.
 */
final class NamespaceAccess {
    private static final String OPERATOR = "/$operator/v1/entities/";
    private static final int SENT_MAX = 256;
    private static final int SENT_CHARACTERS_MAX = 65_536;

    private final BrokerHttp http;
    private final String name;
    private final String keyName;
    private final String key;
    private final Deque<Sent> sent = new ArrayDeque<>();

    NamespaceAccess(BrokerHttp http, String name, String keyName, String key) {
        this.http = http;
        this.name = name;
        this.keyName = keyName;
        this.key = key;
    }

    /** A message that the kit has sent: to which entity, and its members in the operator API. */
    record Sent(String entity, Map<String, @Nullable Object> message) {
        String messageId() {
            return String.valueOf(message.get("messageId"));
        }
    }

    String name() {
        return name;
    }

    BrokerHttp http() {
        return http;
    }

    /**
     * Sends a request to the operator API.
     *
     * @param call words that name the call in an exception, such as {@code queue 'orders': messages()}
     * @param entity the path of an entity
     * @param rest the rest of the path, with its query
     */
    JsonObject operator(String call, String method, String entity, String rest, @Nullable Object body) {
        return http.send(new Request(
                call, method, OPERATOR + encoded(entity) + rest, SasToken.of(http.port(), keyName, key), body));
    }

    /** Sends a request to the part of the API for tests, with the namespace in its body. */
    JsonObject test(String call, String path, Map<String, Object> members, Duration patience) {
        Map<String, Object> body = new LinkedHashMap<>(members);
        body.put("namespace", name);
        return http.send(new Request(call, "POST", "/$test/" + path, null, body), patience);
    }

    /** Returns the last events of an entity with its sub-queues, or of the namespace, the oldest first. */
    History history(String call, @Nullable String entity) {
        String query = "?namespace=" + encoded(name) + (entity == null ? "" : "&entity=" + encoded(entity));
        JsonObject answer = http.send(new Request(call, "GET", "/$test/history" + query, null, null));
        return new History(
                answer.objects("events").stream().map(HistoryEvent::of).toList(), answer.number("dropped"));
    }

    /**
     * Events, and the number of older ones that the broker has dropped.
     *
     * @param dropped 0 if the events are complete
     */
    record History(List<HistoryEvent> events, long dropped) {}

    void remember(String entity, Map<String, @Nullable Object> message) {
        if (Json.write(message).length() > SENT_CHARACTERS_MAX) {
            return;
        }
        synchronized (sent) {
            if (sent.size() == SENT_MAX) {
                sent.removeFirst();
            }
            sent.addLast(new Sent(entity, message));
        }
    }

    /** Returns the last messages that the kit has sent to an entity. */
    List<Sent> sentTo(String entity) {
        List<Sent> found = new ArrayList<>();
        synchronized (sent) {
            for (Sent message : sent) {
                if (message.entity().equalsIgnoreCase(entity)) {
                    found.add(message);
                }
            }
        }
        return found;
    }

    void forgetSent() {
        synchronized (sent) {
            sent.clear();
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
