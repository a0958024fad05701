package dev.jitney.cli.operator;

import dev.jitney.cli.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of a table from the documents of explanations. Not thread-safe. */
final class ExplanationRows {
    private static final String COPIES = "copies";
    private static final String RESULT = "result";

    private final boolean all;
    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    private int subscriptions;
    private int receiving;
    private int copies;
    private boolean topic;
    private @Nullable String ending;

    /** @param all whether subscriptions without a copy have rows too */
    ExplanationRows(boolean all) {
        this.all = all;
    }

    /** Adds the rows of a page. */
    void add(Map<String, @Nullable Object> page) {
        topic = "topic".equals(page.get("kind"));
        List<Map<String, @Nullable Object>> pageOfSubscriptions = OperatorApi.documents(page, "subscriptions");
        subscriptions += pageOfSubscriptions.size();
        for (Map<String, @Nullable Object> each : pageOfSubscriptions) {
            int count = OperatorApi.documents(each, COPIES).size();
            receiving += count > 0 ? 1 : 0;
            copies += count;
        }
        entity(page, "");
        if (page.get("refusal") instanceof Map<?, ?> refusal) {
            ending = "The message would be refused: " + refusal.get("message");
        } else if (page.get("duplicateOf") != null) {
            ending = "The message would be dropped as a duplicate of the message " + page.get("duplicateOf") + ".";
        }
    }

    /** Returns the rows since the last call. */
    List<Map<String, @Nullable Object>> take() {
        List<Map<String, @Nullable Object>> taken = List.copyOf(rows);
        rows.clear();
        return taken;
    }

    /** Returns a sentence about all pages. */
    String summary() {
        if (ending != null) {
            return ending;
        }
        return topic
                ? receiving + " of " + subscriptions + (subscriptions == 1 ? " subscription" : " subscriptions")
                        + (receiving == 1 ? " gets " : " get ") + copies + (copies == 1 ? " copy." : " copies.")
                : "The queue accepts the message.";
    }

    private void entity(Map<String, @Nullable Object> document, String indent) {
        String path = String.valueOf(document.get("entity"));
        if (document.get("refusal") instanceof Map<?, ?> refusal) {
            row(indent + path, "refused", "", String.valueOf(refusal.get("message")));
        } else if (document.get("duplicateOf") != null) {
            row(indent + path, "dropped", "", "A duplicate of the message " + document.get("duplicateOf") + ".");
        } else if (document.get("scheduledEnqueueTime") != null) {
            row(indent + path, "waits", "", "Until " + document.get("scheduledEnqueueTime") + ".");
        }
        if (document.get("warning") != null) {
            row(indent + path, "warning", "", String.valueOf(document.get("warning")));
        }
        for (Map<String, @Nullable Object> copy : OperatorApi.documents(document, COPIES)) {
            copy(copy, indent, "");
        }
        for (Map<String, @Nullable Object> subscription : OperatorApi.documents(document, "subscriptions")) {
            subscription(subscription, indent);
        }
        if (Boolean.FALSE.equals(document.get("complete")) && !indent.isEmpty()) {
            row(indent + path, "incomplete", "", "Ask for an explanation of '" + path + "' for the others.");
        }
    }

    private void subscription(Map<String, @Nullable Object> subscription, String indent) {
        List<Map<String, @Nullable Object>> made = OperatorApi.documents(subscription, COPIES);
        List<Map<String, @Nullable Object>> rules = OperatorApi.documents(subscription, "rules");
        String path = indent + subscription.get("subscription");
        for (Map<String, @Nullable Object> copy : made) {
            copy(copy, indent, rulesOf(copy, rules));
        }
        boolean matches = !made.isEmpty();
        for (Map<String, @Nullable Object> rule : rules) {
            String result = String.valueOf(rule.get(RESULT));
            if (result.equals("failed") || result.equals("notEvaluated") || all && !result.equals("matched")) {
                row(path, words(result), String.valueOf(rule.get("rule")), reason(rule));
            }
        }
        if (all && !matches && rules.isEmpty()) {
            row(path, "no copy", "", "The subscription has no rules.");
        }
    }

    /** Returns the rule of a changed copy, or all matching rules of an unchanged one. */
    private static String rulesOf(Map<String, @Nullable Object> copy, List<Map<String, @Nullable Object>> rules) {
        Object changedBy = copy.get("changedBy");
        if (changedBy != null) {
            return changedBy.toString();
        }
        return rules.stream()
                .filter(rule -> "matched".equals(rule.get(RESULT)) && rule.get("changes") == null)
                .map(rule -> String.valueOf(rule.get("rule")))
                .collect(Collectors.joining(", "));
    }

    private void copy(Map<String, @Nullable Object> copy, String indent, String rule) {
        boolean dead = copy.get("deadLetterReason") != null;
        String detail = dead
                ? copy.get("deadLetterReason") + ": " + copy.get("deadLetterErrorDescription")
                : copy.get("expiresAt") == null ? "" : "Expires at " + copy.get("expiresAt") + ".";
        Object forward = copy.get("forward");
        String result = dead ? "dead-lettered" : forward == null ? "stored" : "forwarded";
        row(indent + copy.get("destination"), result, rule, detail);
        if (forward instanceof Map<?, ?> way) {
            forward(way, indent + "... ");
        }
    }

    private void forward(Map<?, ?> way, String indent) {
        if (way.get("explanation") instanceof Map<?, ?> explanation) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            explanation.forEach((name, value) -> document.put(String.valueOf(name), value));
            entity(document, indent);
        } else if (way.get("message") != null) {
            row(indent + way.get("to"), "not explained", "", String.valueOf(way.get("message")));
        }
        if (way.get("waits") != null) {
            row(indent + way.get("to"), "waits", "", String.valueOf(way.get("waits")));
        }
        if (way.get("failure") instanceof Map<?, ?> failure) {
            row(
                    indent + failure.get("destination"),
                    "dead-lettered",
                    "",
                    failure.get("deadLetterReason") + ": " + failure.get("deadLetterErrorDescription"));
        }
    }

    private static String words(String result) {
        return switch (result) {
            case "notMatched" -> "no match";
            case "notEvaluated" -> "not evaluated";
            default -> result;
        };
    }

    /** Returns the reason of a rule that does not match: its failure, or the properties that its filter has read. */
    private static String reason(Map<String, @Nullable Object> rule) {
        if (rule.get("failure") != null) {
            return String.valueOf(rule.get("failure"));
        }
        if (!(rule.get("properties") instanceof Map<?, ?> properties) || properties.isEmpty()) {
            return String.valueOf(rule.get("filter"));
        }
        return properties.entrySet().stream()
                .map(each -> each.getKey() + (each.getValue() == null ? " is not set" : " is " + text(each.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String text(Object value) {
        if (value instanceof Map<?, ?> typed && typed.get("value") != null) {
            return typed.get("value") instanceof Map<?, ?>
                    ? Json.line(Map.of("value", typed))
                    : typed.get("value") + " (" + typed.get("type") + ")";
        }
        return "'" + value + "'";
    }

    private void row(String entity, String result, String rule, String detail) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("entity", entity);
        row.put(RESULT, result);
        row.put("rule", rule);
        row.put("detail", detail);
        rows.add(row);
    }
}
