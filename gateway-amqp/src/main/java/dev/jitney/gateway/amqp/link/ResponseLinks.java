package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.wire.SessionWire;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the link an answer goes to, by the rules that suit every client (wire reference 2.1). */
final class ResponseLinks {
    private final List<ResponseLink> links = new ArrayList<>();

    void add(ResponseLink link) {
        links.add(link);
    }

    void remove(ResponseLink link) {
        links.remove(link);
    }

    /**
     * Among the links of the node: the one whose target address or name equals {@code replyTo}, preferably of the same
     * session; without a match, one of the same session.
     */
    @Nullable
    ResponseLink find(String nodeKey, @Nullable String replyTo, SessionWire session) {
        ResponseLink elsewhere = null;
        ResponseLink sameSession = null;
        for (int i = links.size() - 1; i >= 0; i--) { // the newest first: clients replace a pair before closing it
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
