package dev.jitney.server.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The health of a node, as {@code GET /health} shows it (CL-80).
 *
 * @param status whether clients that connect to this node are served
 * @param reasons sentences that explain a status other than healthy
 */
public record NodeHealth(Status status, List<String> reasons) {

    /** The possible results. */
    public enum Status {
        /** Clients are served, and the cluster survives the loss of a node. */
        HEALTHY,
        /** Clients are served, but something needs attention. */
        DEGRADED,
        /** Clients that connect to this node are not served. */
        UNHEALTHY
    }

    /** Clients are served. */
    public static final NodeHealth HEALTHY = new NodeHealth(Status.HEALTHY, List.of());

    private static final String ALL_WELL = "Service is healthy.";
    private static final String HIDDEN =
            "Connect with a certificate of the cluster's authority to see the reasons, or use: jitney cluster status";

    public NodeHealth {
        reasons = List.copyOf(reasons);
    }

    /** Returns the health of a node whose clients are not served. */
    public static NodeHealth unhealthy(String reason) {
        return new NodeHealth(Status.UNHEALTHY, List.of(reason));
    }

    /**
     * Returns the health of a node.
     *
     * @param trouble a sentence about a fault of this node or of the broker that it runs, or null
     * @param serves  whether clients are served in spite of that: those of a leader with a full disk receive, and those of a leader
     *     with several stores use the others
     * @param reasons sentences about the cluster
     */
    public static NodeHealth of(@Nullable String trouble, boolean serves, List<String> reasons) {
        if (trouble != null && !serves) {
            return unhealthy(trouble);
        }
        List<String> all = new ArrayList<>();
        if (trouble != null) {
            all.add(trouble);
        }
        all.addAll(reasons);
        return all.isEmpty() ? HEALTHY : new NodeHealth(Status.DEGRADED, all);
    }

    /** Returns the page, in the format of the health page for clients. */
    String json() {
        return page(reasons.isEmpty() ? ALL_WELL : String.join(" ", reasons));
    }

    /** Returns the page without the reasons, which name nodes and addresses. */
    String jsonWithoutReasons() {
        return page(reasons.isEmpty() ? ALL_WELL : HIDDEN);
    }

    private String page(String message) {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        page.put("status", status.name().toLowerCase(Locale.ROOT));
        page.put("message", message);
        return page.toString();
    }
}
