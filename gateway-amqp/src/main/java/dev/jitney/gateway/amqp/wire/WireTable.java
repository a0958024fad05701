package dev.jitney.gateway.amqp.wire;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sessions and links of one connection as its frames show them; shared by the two ends of the pipeline. */
public final class WireTable {
    private final Map<Integer, SessionWire> byRemoteChannel = new HashMap<>();
    private final Map<Integer, SessionWire> byLocalChannel = new HashMap<>();
    private final Map<String, LinkWire> byEngineName = new HashMap<>();

    /** Returns the session of a channel of the peer. */
    public @Nullable SessionWire remote(int channel) {
        return byRemoteChannel.get(channel);
    }

    @Nullable
    SessionWire local(int channel) {
        return byLocalChannel.get(channel);
    }

    /** Returns the link of that name inside the engine. */
    public @Nullable LinkWire link(String engineName) {
        return byEngineName.get(engineName);
    }

    /** Returns the number of links that the peer has attached and not detached. */
    public int linkCount() {
        return byEngineName.size();
    }

    void begin(SessionWire session) {
        byRemoteChannel.put(session.remoteChannel(), session);
    }

    void answerBegin(int remoteChannel, int localChannel) {
        SessionWire session = byRemoteChannel.get(remoteChannel);
        if (session != null) {
            session.localChannel(localChannel);
            byLocalChannel.put(localChannel, session);
        }
    }

    void endRemote(int channel) {
        SessionWire session = byRemoteChannel.remove(channel);
        if (session != null) {
            forget(session);
        }
    }

    void endLocal(int channel) {
        SessionWire session = byLocalChannel.remove(channel);
        if (session != null) {
            forget(session);
        }
    }

    private void forget(SessionWire session) {
        for (LinkWire link : session.links()) {
            byEngineName.remove(link.engineName());
        }
        session.end();
    }

    void attach(LinkWire link) {
        link.session().add(link);
        byEngineName.put(link.engineName(), link);
    }

    void detach(LinkWire link) {
        link.session().remove(link);
        byEngineName.remove(link.engineName());
    }
}
