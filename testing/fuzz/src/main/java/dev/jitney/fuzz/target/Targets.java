package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All targets by their names, made when they are asked for: some of them are whole servers. */
public final class Targets {

    /** Makes a target. */
    private interface Maker {
        FuzzTarget make() throws Exception;
    }

    private static final Map<String, Maker> ALL = new LinkedHashMap<>();

    static {
        ALL.put("message", MessageTarget::new);
        ALL.put("batch", BatchTarget::new);
        ALL.put("sql", SqlTarget::new);
        ALL.put("correlation", CorrelationTarget::new);
        ALL.put("row", RowTarget::new);
        ALL.put("config", ConfigTarget::new);
        ALL.put("token", TokenTarget::new);
        ALL.put("atom", AtomTarget::new);
        ALL.put("http-batch", HttpBatchTarget::new);
        ALL.put("amqp-octets", AmqpOctetsTarget::new);
        ALL.put("amqp-links", AmqpLinksTarget::new);
        ALL.put("http", HttpTarget::new);
        ALL.put("http-delivery", HttpDeliveryTarget::new);
        ALL.put("websocket", WebSocketTarget::new);
    }

    private Targets() {}

    /** Their names, in the order they are run in. */
    public static Set<String> names() {
        return ALL.keySet();
    }

    /** A new one, or null if there is none of that name. */
    public static @Nullable FuzzTarget make(String name) throws Exception {
        Maker maker = ALL.get(name);
        return maker == null ? null : maker.make();
    }
}
