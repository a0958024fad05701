package dev.jitney.gateway.amqp.management;

import dev.jitney.core.SessionHold;
import org.jspecify.annotations.Nullable;

/** The sessions of one entity that a connection holds (wire reference 7.7). Called where requests are handled. */
public interface HeldSessions {

    /** A connection that holds none. */
    HeldSessions NONE = new HeldSessions() {
        @Override
        public @Nullable SessionHold bySessionId(String sessionId) {
            return null;
        }

        @Override
        public @Nullable SessionHold byLinkName(String linkName) {
            return null;
        }
    };

    /** The hold on the session, or null if the connection does not hold it. */
    @Nullable
    SessionHold bySessionId(String sessionId);

    /** The hold of the link of that name, or null if there is no such link or it holds no session. */
    @Nullable
    SessionHold byLinkName(String linkName);
}
