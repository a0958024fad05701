package dev.jitney.cli.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A parser of the entity metrics in {@code GET /metrics} of a Jitney server. It ignores unknown lines. */
final class MetricsPage {
    private static final Pattern SAMPLE = Pattern.compile("(jitney_entity_[a-z_]+)\\{(.*)\\} (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private MetricsPage() {}

    /** Returns the entities of the page, in its order. */
    static List<EntityLoad> read(String page) {
        Map<String, Map<String, String>> labels = new LinkedHashMap<>();
        Map<String, Map<String, Double>> values = new HashMap<>();
        page.lines().forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                return;
            }
            Map<String, String> of = labels(sample.group(2));
            String key = of.get("namespace") + "/" + of.get("kind") + "/" + of.get("entity");
            double value;
            try {
                value = Double.parseDouble(sample.group(3));
            } catch (NumberFormatException e) {
                return;
            }
            labels.putIfAbsent(key, of);
            String state = of.get("state");
            values.computeIfAbsent(key, entity -> new HashMap<>())
                    .merge(sample.group(1) + (state == null ? "" : "/" + state), value, Double::sum);
        });
        List<EntityLoad> all = new ArrayList<>();
        labels.forEach((key, of) -> all.add(load(of, values.getOrDefault(key, Map.of()))));
        return all;
    }

    private static EntityLoad load(Map<String, String> labels, Map<String, Double> values) {
        return new EntityLoad(
                labels.getOrDefault("kind", ""),
                labels.get("namespace"),
                labels.getOrDefault("entity", "").replaceFirst("/Subscriptions/", "/subscriptions/"),
                count(values, "active"),
                count(values, "dead_letter") + count(values, "transfer_dead_letter"),
                count(values, "scheduled"),
                values.get("jitney_entity_incoming_messages_total"),
                values.get("jitney_entity_outgoing_messages_total"),
                null,
                null,
                values.get("jitney_entity_oldest_message_age_seconds"),
                whole(values.get("jitney_entity_receivers")));
    }

    private static long count(Map<String, Double> values, String state) {
        return values.getOrDefault("jitney_entity_messages/" + state, 0.0).longValue();
    }

    private static @Nullable Long whole(@Nullable Double value) {
        return value == null ? null : value.longValue();
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(text);
        while (label.find()) {
            labels.put(label.group(1), label.group(2).replace("\\\"", "\"").replace("\\\\", "\\"));
        }
        return labels;
    }
}
