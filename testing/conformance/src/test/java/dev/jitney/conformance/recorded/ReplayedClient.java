package dev.jitney.conformance.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.RawSession.Attach;
import dev.jitney.testing.amqp.SasToken;
import dev.jitney.testing.amqp.Sessions;
import dev.jitney.testing.amqp.Wire;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A connection that sends the AMQP frames of the client library in .NET or Go (wire reference 1.3 to 7.1). */
final class ReplayedClient {
    private static final long TIMEOUT_MS = 60_000;

    private final Library library;
    private final RawPeer peer;
    private final RawSession session;
    private int duplexes;

    /** A library with the differences of its requests. */
    enum Library {
        /** The links keep their names here, which is the harder case for the server. */
        NET(".NET", "MSSBCBS"),
        /** Each attach uses new link names. */
        GO("Go", "ANONYMOUS");

        private final String title;
        private final String mechanism;

        Library(String title, String mechanism) {
            this.title = title;
            this.mechanism = mechanism;
        }

        /** Returns the application properties of a management request about a link. */
        Map<Object, @Nullable Object> properties(String operation, RawLink link) {
            return this == NET
                    ? Wire.map(
                            "operation",
                            operation,
                            "com.microsoft:server-timeout",
                            Wire.uint(TIMEOUT_MS),
                            "associated-link-name",
                            link.name(),
                            "com.microsoft:tracking-id",
                            UUID.randomUUID().toString())
                    : Wire.map("operation", operation, "associated-link-name", link.name());
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /** Opens a connection, from the protocol headers to the reply to its open. */
    ReplayedClient(Library library, TestBroker broker, String containerId) {
        this.library = library;
        peer = RawPeer.silent(broker.amqpPort());
        peer.sasl(library.mechanism, library == Library.GO ? new byte[0] : null);
        peer.connection().sendHeader(0);
        peer.connection().awaitHeader();
        peer.send(
                0,
                Wire.composite(
                        Code.OPEN,
                        containerId,
                        "localhost",
                        Wire.uint(RawPeer.MAX_FRAME_SIZE),
                        new Wire.Unsigned(16, library == Library.NET ? 8191 : 65_534),
                        Wire.uint(30_000),
                        null,
                        null,
                        null,
                        null,
                        Wire.map(Wire.sym("product"), library == Library.NET ? "MSNetClient" : "MSGolangClient")));
        peer.connection().await("open", f -> f.is(Code.OPEN));
        session = peer.begin();
    }

    /** Closes the socket without AMQP's close, like a lost connection. */
    void drop() {
        peer.close();
    }

    /** Puts a token for an entity, over one lasting pair of links (.NET) or over a new pair for each token (Go). */
    private void putToken(String audience) {
        boolean net = library == Library.NET;
        String duplex = "duplex" + ++duplexes;
        RawRequests cbs = RawRequests.open(
                net ? session : peer.begin(),
                "$cbs",
                new RawRequests.Names(
                        net ? duplex + ":sender" : UUID.randomUUID().toString(),
                        net ? duplex + ":receiver" : UUID.randomUUID().toString(),
                        net
                                ? UUID.randomUUID().toString().replace("-", "")
                                : "$cbs$$cbs-reply-to-" + UUID.randomUUID()),
                null);
        long expiry = Instant.now().getEpochSecond() + 1800;
        RawMessage answer = cbs.send(
                Wire.map(
                        "operation",
                        "put-token",
                        "type",
                        "servicebus.windows.net:sastoken",
                        "name",
                        audience,
                        "expiration",
                        Instant.ofEpochSecond(expiry)),
                SasToken.create(audience, TestBroker.RULE, TestBroker.KEY, expiry));
        assertThat(answer.applicationProperty("status-code").number())
                .as(answer.toString())
                .isIn(200L, 202L);
        if (!net) {
            cbs.close();
        }
    }

    private String audience(String entity) {
        return "amqps://localhost/" + entity;
    }

    private String address(String entity) {
        return library == Library.NET ? "/" + entity : entity;
    }

    private String linkName(String name) {
        return library == Library.NET ? name : name + "-" + UUID.randomUUID();
    }

    /** Attaches a link of the application; Go has a session for each link. */
    private RawLink attach(Attach attach) {
        RawLink link = (library == Library.NET ? session : peer.begin()).attach(attach);
        link.expectAttached();
        return link;
    }

    RawLink sender(String entity, String name) {
        putToken(audience(entity));
        Attach attach = new Attach(false, linkName(name), address(entity));
        RawLink link = attach(
                library == Library.NET
                        ? attach.source(name).properties(timeout())
                        : attach.rawSource(null).settleModes(0, null));
        link.awaitCredit();
        return link;
    }

    RawLink receiver(String entity, String name) {
        putToken(audience(entity));
        Attach attach = new Attach(true, linkName(name), address(entity)).settleModes(null, 1);
        return attach(library == Library.NET ? attach.target(name).properties(timeout()) : attach);
    }

    /** Attaches a link that holds a session. */
    RawLink session(String entity, String sessionId) {
        putToken(audience(entity));
        Object filter =
                library == Library.NET ? sessionId : new Wire.Described(Wire.ulong(Sessions.GO_DESCRIPTOR), sessionId);
        return attach(new Attach(true, linkName("session-" + sessionId), address(entity))
                .filter(address(entity), Wire.map(Wire.sym(Sessions.FILTER), filter))
                .settleModes(null, 1)
                .properties(timeout()));
    }

    /** Returns the session id in the server's filter, in the form that the library reads. */
    String grantedSession(RawLink link) {
        Node granted = Sessions.granted(link);
        return library == Library.NET ? granted.text() : granted.described().text();
    }

    RawRequests management(String entity) {
        boolean net = library == Library.NET;
        String node = entity + "/$management";
        putToken(audience(net ? node : entity));
        String duplex = "duplex" + ++duplexes;
        return RawRequests.open(
                net ? session : peer.begin(),
                net ? "/" + node : node,
                new RawRequests.Names(
                        linkName(duplex + ":sender"),
                        linkName(duplex + ":receiver"),
                        net ? duplex : node + "$" + node + "-reply-to-" + UUID.randomUUID()),
                net ? Wire.map(Wire.sym("com.microsoft:entity-type"), "entity-mgmt") : null);
    }

    private static Map<Object, @Nullable Object> timeout() {
        return Wire.map(Wire.sym("com.microsoft:timeout"), Wire.uint(TIMEOUT_MS));
    }
}
