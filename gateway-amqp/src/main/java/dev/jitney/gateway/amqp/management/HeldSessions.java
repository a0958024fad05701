package dev.jitney.gateway.amqp.management;

import dev.jitney.core.SessionHold;
import org.jspecify.annotations.Nullable;

/** The sessions of one entity that a connection holds (wire reference 7.7). Called where requests are handled. */
public interface HeldSessions {

    /** The sessions of a connection that holds none. */
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

    /** Returns the hold on a session, or null if the connection does not hold it. */
    @Nullable
    SessionHold bySessionId(String sessionId);

    /** Returns the hold of the link of that name, or null if there is no such link or it holds no session. */
    @Nullable
    SessionHold byLinkName(String linkName);
}
