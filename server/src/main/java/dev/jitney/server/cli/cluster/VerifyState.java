package dev.jitney.server.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.model.ClientText;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of {@code /cluster/verify} on a node port (CL-85).
 *
 * @param json    the answer on one line
 * @param id      the id of the comparison
 * @param running whether the nodes still read their tables
 * @param equal   whether all nodes were compared and are equal
 * @param index   the position in the log at which they are compared
 * @param reason  the reason of a failure, or empty
 */
record VerifyState(
        String json,
        String id,
        boolean running,
        boolean equal,
        long index,
        double seconds,
        String reason,
        List<Node> nodes,
        List<Difference> differences) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** One node; {@code state} is a word, and {@code reason} says why it cannot be compared, or is empty. */
    record Node(String name, String state, long rows, long bytes, String reason) {
        boolean isCompared() {
            return state.equals("compared");
        }
    }

    /** A table of a node that differs from most nodes. */
    record Difference(String node, int store, String table, long rows, long rowsExpected) {}

    /** @throws IllegalArgumentException if the text is not such an answer */
    static VerifyState parse(String text) {
        try {
            JsonNode root = MAPPER.readTree(text);
            if (root == null || !root.path("nodes").isArray()) {
                throw new IllegalArgumentException(
                        "Expected the state of a comparison, but got something else. Is it a node port?");
            }
            List<Node> nodes = new ArrayList<>();
            for (JsonNode node : root.path("nodes")) {
                nodes.add(new Node(
                        text(node, "name"),
                        text(node, "state"),
                        node.path("rows").asLong(),
                        node.path("bytes").asLong(),
                        text(node, "reason")));
            }
            List<Difference> differences = new ArrayList<>();
            for (JsonNode difference : root.path("differences")) {
                differences.add(new Difference(
                        text(difference, "node"),
                        difference.path("store").asInt(),
                        text(difference, "table"),
                        difference.path("rows").asLong(),
                        difference.path("rowsExpected").asLong()));
            }
            return new VerifyState(
                    MAPPER.writeValueAsString(root),
                    text(root, "id"),
                    text(root, "state").equals("running"),
                    root.path("equal").asBoolean(),
                    root.path("index").asLong(),
                    root.path("seconds").asDouble(),
                    text(root, "reason"),
                    List.copyOf(nodes),
                    List.copyOf(differences));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Expected JSON, but got something else. Is it a node port?", e);
        }
    }

    private static String text(JsonNode node, String name) {
        return ClientText.oneLine(node.path(name).asText(""));
    }
}
