package dev.jitney.server.node;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jitney.cluster.verify.Verification;
import java.util.Locale;

/** The state of a comparison of all nodes as {@code /cluster/verify} on the node port returns it (CL-85). */
public final class VerifyPage {
    private static final JsonMapper JSON = new JsonMapper();

    private VerifyPage() {}

    /** Returns the page. */
    public static String of(Verification verification) {
        ObjectNode page = JSON.createObjectNode();
        page.put("id", verification.id().toString());
        page.put("state", verification.state().name().toLowerCase(Locale.ROOT));
        page.put("equal", verification.isEqual());
        page.put("index", verification.index());
        page.put("seconds", verification.seconds());
        page.put("reason", verification.reason());
        ArrayNode nodes = page.putArray("nodes");
        for (Verification.Node node : verification.nodes()) {
            nodes.addObject()
                    .put("name", node.name())
                    .put("state", node.state().name().toLowerCase(Locale.ROOT))
                    .put("rows", node.rows())
                    .put("bytes", node.bytes())
                    .put("reason", node.reason());
        }
        ArrayNode differences = page.putArray("differences");
        for (Verification.Difference difference : verification.differences()) {
            differences
                    .addObject()
                    .put("node", difference.node())
                    .put("store", difference.store())
                    .put("table", difference.table())
                    .put("rows", difference.rows())
                    .put("rowsExpected", difference.rowsExpected());
        }
        return page.toString();
    }
}
