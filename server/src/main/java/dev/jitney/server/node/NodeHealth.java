package dev.jitney.server.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

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
