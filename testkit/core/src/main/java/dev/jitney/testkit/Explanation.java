package dev.jitney.testkit;

import dev.jitney.testkit.NamespaceAccess.History;
import dev.jitney.testkit.NamespaceAccess.Sent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The text below a failed assertion: the messages of the entity, and the reason why an expected one is not among them. It comes from
 * the history of the broker and from the code that answers where a message would go.
 *
 * @param topic the topic of a subscription, or null for a queue
 */
record Explanation(
        NamespaceAccess access,
        MessageReader reader,
        @Nullable String topic) {
    private static final int SHOWN_MAX = 10;
    private static final int CANDIDATES_MAX = 3;
    private static final String ALL = "active,locked,deferred,scheduled";

    /** @param wanted the condition of the message that is missing, or null if none is */
    String text(@Nullable Predicate<? super StoredMessage> wanted) {
        List<String> lines = new ArrayList<>();
        attempt(lines, () -> contents(lines));
        if (wanted != null) {
            attempt(lines, () -> elsewhere(lines, wanted));
            attempt(lines, () -> fate(lines, wanted));
        }
        attempt(lines, () -> events(lines));
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(System.lineSeparator()).append("  ").append(line));
        return text.toString();
    }

    /** A part that cannot be read must not hide the assertion. */
    private static void attempt(List<String> lines, Runnable part) {
        try {
            part.run();
        } catch (JitneyException e) {
            lines.add("(More is not known. " + e.getMessage() + ")");
        }
    }

    private void contents(List<String> lines) {
        lines.add("It has " + reader.counts() + ".");
        list(lines, "", reader.messages(ALL, SHOWN_MAX));
        list(lines, "dead letter ", reader.of(MessageReader.DEAD_LETTERS).messages(ALL, SHOWN_MAX));
    }

    private static void list(List<String> lines, String kind, List<StoredMessage> messages) {
        messages.forEach(message -> lines.add("  " + kind + message));
    }

    /** Finds the message in other states, and in the dead-letter queue. */
    private void elsewhere(List<String> lines, Predicate<? super StoredMessage> wanted) {
        for (StoredMessage message : reader.messages("scheduled,deferred")) {
            if (wanted.test(message)) {
                lines.add("The message is " + message + ". Receivers do not get it in this state.");
            }
        }
        for (StoredMessage message : reader.of(MessageReader.DEAD_LETTERS).messages(ALL)) {
            if (wanted.test(message)) {
                lines.add("The message is in the dead-letter queue: " + message);
            }
        }
    }

    /** Adds the events of messages that the kit has sent and that satisfy the condition, and the rules that they meet. */
    private void fate(List<String> lines, Predicate<? super StoredMessage> wanted) {
        String entity = topic == null ? reader.path() : topic;
        List<Sent> candidates = access.sentTo(entity).stream()
                .filter(message -> wanted.test(asStored(message)))
                .limit(CANDIDATES_MAX)
                .toList();
        History all = access.history(reader.call(), null);
        Set<String> ids = new LinkedHashSet<>();
        candidates.forEach(message -> ids.add(message.messageId()));
        // A message that a client has sent is known by its id only.
        for (HistoryEvent event : all.events()) {
            if (ids.size() < CANDIDATES_MAX && event.messageId() != null && wanted.test(known(event.messageId()))) {
                ids.add(event.messageId());
            }
        }
        for (String id : ids) {
            List<HistoryEvent> events = all.events().stream()
                    .filter(event -> id.equals(event.messageId()))
                    .toList();
            lines.add(
                    events.isEmpty()
                            ? "The message '" + id + "' was sent, and the broker has no event of it."
                            : "Events of the message '" + id + "':");
            events.stream().skip(Math.max(0, events.size() - SHOWN_MAX)).forEach(event -> lines.add("  " + event));
        }
        if (ids.isEmpty()) {
            lines.add("No such message was sent to "
                    + (topic == null ? "the queue" : "the topic '" + topic + "'")
                    + " with the test kit, and the events of other clients have message ids only.");
        }
        if (topic != null) {
            for (Sent candidate : candidates) {
                attempt(lines, () -> rules(lines, topic, candidate.messageId(), candidate.message()));
            }
            Set<String> others = new LinkedHashSet<>(ids);
            candidates.forEach(candidate -> others.remove(candidate.messageId()));
            for (String id : others) {
                attempt(lines, () -> rulesOfCopy(lines, topic, id));
            }
        }
    }

    /** Explains the rules for a message of another client, if another subscription of the topic has it. */
    private void rulesOfCopy(List<String> lines, String ofTopic, String messageId) {
        HistoryEvent copy = access.history(reader.call(), null).events().stream()
                .filter(event -> messageId.equals(event.messageId())
                        && event.entity().toLowerCase(Locale.ROOT).startsWith(ofTopic.toLowerCase(Locale.ROOT) + "/")
                        && event.sequenceNumber() != 0)
                .findFirst()
                .orElse(null);
        if (copy != null) {
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            named.put("sequenceNumber", Long.toString(copy.sequenceNumber()));
            named.put("from", copy.entity());
            rules(lines, ofTopic, messageId, named);
        }
    }

    private void rules(List<String> lines, String ofTopic, String messageId, Map<String, @Nullable Object> message) {
        JsonObject answer = access.operator(reader.call(), "POST", ofTopic, "/explain?max=500", message);
        for (JsonObject subscription : answer.objects("subscriptions")) {
            if (!subscription.text("subscription").equalsIgnoreCase(reader.path())) {
                continue;
            }
            if (!subscription.objects("copies").isEmpty()) {
                lines.add("With its present rules this subscription takes the message '" + messageId + "'.");
                return;
            }
            lines.add("This subscription does not take the message '" + messageId + "', because no rule matches:");
            List<JsonObject> rules = subscription.objects("rules");
            rules.forEach(rule -> lines.add("  " + rule(rule)));
            if (rules.isEmpty()) {
                lines.add("  It has no rule.");
            }
        }
    }

    private static String rule(JsonObject rule) {
        StringBuilder line = new StringBuilder("rule '" + rule.text("rule") + "' ");
        Object filter = rule.members().get("filter");
        line.append('(')
                .append(filter instanceof String sql ? sql : Json.write(filter))
                .append("): ");
        line.append(
                switch (rule.text("result")) {
                    case "notMatched" -> "does not match";
                    case "unknown" -> "does not match, because a property is missing or null";
                    case "failed" -> "fails: " + rule.textOrNull("failure");
                    default -> rule.text("result");
                });
        String before = "; ";
        for (Map.Entry<?, ?> property : rule.object("properties").members().entrySet()) {
            line.append(before).append(property.getKey()).append(" = ").append(value(property.getValue()));
            before = ", ";
        }
        return line.toString();
    }

    private static String value(@Nullable Object written) {
        if (written instanceof Map<?, ?> typed) {
            return typed.get("value") + " (" + typed.get("type") + ")";
        }
        return written instanceof String text ? "'" + text + "'" : String.valueOf(written);
    }

    private void events(List<String> lines) {
        History history = access.history(reader.call(), reader.path());
        List<HistoryEvent> events = history.events();
        if (events.isEmpty()) {
            lines.add("It has had no messages"
                    + (history.dropped() == 0 ? "." : " in the last events of the namespace."));
            return;
        }
        lines.add("Its last events:");
        events.stream().skip(Math.max(0, events.size() - SHOWN_MAX)).forEach(event -> lines.add("  " + event));
    }

    private static StoredMessage asStored(Sent sent) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.message());
        members.put("state", "Active");
        return StoredMessage.of(new JsonObject(members));
    }

    /** Returns a message of which only the id is known. */
    private static StoredMessage known(String messageId) {
        return StoredMessage.of(new JsonObject(Map.of("state", "Active", "messageId", messageId, "body", "")));
    }
}
