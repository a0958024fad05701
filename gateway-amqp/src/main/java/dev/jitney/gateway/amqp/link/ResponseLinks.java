package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.wire.SessionWire;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The response links of one connection, by rules that suit every client (wire reference 2.1). */
final class ResponseLinks {
    private final List<ResponseLink> links = new ArrayList<>();

    void add(ResponseLink link) {
        links.add(link);
    }

    void remove(ResponseLink link) {
        links.remove(link);
    }

    /**
     * Returns the link of the node whose target address or name equals {@code replyTo}, preferably on the same session.
     * Without a match, returns a link of the same session.
     */
    @Nullable
    ResponseLink find(String nodeKey, @Nullable String replyTo, SessionWire session) {
        ResponseLink elsewhere = null;
        ResponseLink sameSession = null;
        for (int i = links.size() - 1; i >= 0; i--) { // newest first: clients open a new pair before they close the old
            ResponseLink link = links.get(i);
            if (!link.nodeKey().equals(nodeKey)) {
                continue;
            }
            boolean here = link.wire().session() == session;
            boolean named = replyTo != null
                    && (replyTo.equals(link.replyAddress())
                            || replyTo.equals(link.wire().name()));
            if (named && here) {
                return link;
            }
            if (named && elsewhere == null) {
                elsewhere = link;
            }
            if (here && sameSession == null) {
                sameSession = link;
            }
        }
        return elsewhere != null ? elsewhere : sameSession;
    }
}
