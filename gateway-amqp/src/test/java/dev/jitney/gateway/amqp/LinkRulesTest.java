package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Refused links, the echo of their filters, and the end of links when their entity is deleted. */
class LinkRulesTest extends AmqpWireScenario {
    private static final int CLOSE = 0x18;
    private static final Symbol ENTITY_TYPE = Symbol.valueOf("com.microsoft:entity-type");
    private static final Symbol SESSION_FILTER = Symbol.valueOf("com.microsoft:session-filter");

    private static void refused(RawPeer peer, String condition, String words) throws Exception {
        Described error = (Described) peer.next(DETACH).field(2);
        assertThat(error.fields().get(0)).isEqualTo(symbol(condition));
        assertThat((String) error.fields().get(1)).contains(words);
    }

    private static Object filterOf(Frame attach) {
        return ((Described) attach.field(5)).fields().get(7);
    }

    private static Attach filtered(String name, long handle, String address, Map<String, ?> filters) {
        Map<Object, Object> filter = new LinkedHashMap<>();
        filters.forEach((key, value) -> filter.put(Symbol.valueOf(key), value));
        return withKeys(name, handle, address, filter);
    }

    /** Returns an attach with filter keys of any type, although the map's type requires symbols. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Attach withKeys(String name, long handle, String address, Map<Object, Object> filter) {
        Attach attach = RawPeer.receiver(name, handle, address);
        attach.getSource().setFilter((Map) filter);
        return attach;
    }

    private static UnknownDescribedType described(Object descriptor, Object value) {
        return new UnknownDescribedType(descriptor, value);
    }

    @Test
    @DisplayName("A link that declares another entity type than its entity has is refused; a link without a type"
            + " is accepted (wire 3.2)")
    void entityTypes() throws Exception {
        broker.first.add(TopicDescription.named("t").build(), 256 * 1024);
        try (RawPeer peer = authorized()) {
            int handle = 0;
            for (Object wrong : List.of(1, 2, 1L, UnsignedInteger.valueOf(2))) {
                peer.send(0, RawPeer.sender("s" + handle, handle, "q").setProperties(Map.of(ENTITY_TYPE, wrong)));
                refused(peer, "amqp:not-allowed", "'q' is a queue");
                peer.send(
                        0, RawPeer.receiver("r" + handle, handle + 10, "q").setProperties(Map.of(ENTITY_TYPE, wrong)));
                refused(peer, "amqp:not-allowed", "'q' is a queue");
                handle++;
            }
            peer.send(0, RawPeer.sender("t", 60, "t").setProperties(Map.of(ENTITY_TYPE, 0)));
            refused(peer, "amqp:not-allowed", "'t' is a topic");
            peer.send(0, RawPeer.sender("m", 61, "q/$management").setProperties(Map.of(ENTITY_TYPE, 1)));
            refused(peer, "amqp:not-allowed", "'q' is a queue");
            handle = 20;
            for (Object fine : List.of(0, -1, 3, "entity-mgmt")) {
                peer.send(0, RawPeer.sender("f" + handle, handle, "q").setProperties(Map.of(ENTITY_TYPE, fine)));
                assertThat(peer.next(FLOW).field(4)).as(fine.toString()).isNotNull();
                handle++;
            }
        }
    }

    @Test
    @DisplayName("A filter is identified by its descriptor, not its key; selectors and unknown filters are"
            + " refused (wire 3.3)")
    void unknownFilters() throws Exception {
        List<Map<String, Object>> refused = List.of(
                Map.of("selector", described(Symbol.valueOf("apache.org:selector-filter:string"), "a = 1")),
                Map.of("selector", described(UnsignedLong.valueOf(0x0000468C00000004L), "a = 1")),
                Map.of("com.microsoft:session-filter", described(UnsignedLong.valueOf(0x468C00000004L), "a = 1")),
                Map.of("jms-selector", "a = 1"),
                Map.of("mine", described(Symbol.valueOf("example.org:mine"), "x")),
                Map.of("mine", "x"),
                Map.of("x", described(UnsignedLong.valueOf(0x137000000EL), List.of())));
        try (RawPeer peer = authorized()) {
            for (int i = 0; i < refused.size(); i++) {
                peer.send(0, filtered("r" + i, i, "q", refused.get(i)));
                refused(peer, "amqp:not-implemented", "not supported");
            }
        }
        assertThat(queue.receiverCount()).isZero();
    }

    @Test
    @DisplayName("A string as the key of a filter counts as a symbol; keys of other types are refused (AMQP 3.5.8)")
    void keysOfOtherTypes() throws Exception {
        broker.first.add(QueueDescription.named("s").requiresSession(true).build(), 256 * 1024);
        try (RawPeer peer = authorized()) {
            peer.send(0, withKeys("r", 0, "s", Map.of(SESSION_FILTER.toString(), "one")));
            assertThat(filterOf(peer.next(ATTACH))).isEqualTo(Map.of(symbol(SESSION_FILTER.toString()), "one"));
            peer.send(0, withKeys("t", 1, "q", Map.of("mine", "x")));
            refused(peer, "amqp:not-implemented", "'mine' is not supported");
            peer.send(0, withKeys("u", 2, "q", Map.of(7, "x")));
            refused(peer, "amqp:invalid-field", "symbol as the key of a filter");
        }
    }

    @Test
    @DisplayName("Only filters in force are echoed; one without effect on a queue is not (AMQP 3.5.3)")
    void echoesFiltersInForce() throws Exception {
        broker.first.add(QueueDescription.named("s").requiresSession(true).build(), 256 * 1024);
        try (RawPeer peer = authorized()) {
            Object noLocal = described(UnsignedLong.valueOf(0x0000468C00000003L), "NoLocalFilter{}");
            peer.send(0, filtered("r", 0, "q", Map.of("no-local", noLocal)));
            assertThat(filterOf(peer.next(ATTACH))).isNull();
            Object asked = described(UnsignedLong.valueOf(0x137000000CL), "one");
            Map<String, Object> both = new LinkedHashMap<>();
            both.put("no-local", noLocal);
            both.put("my-session", asked);
            peer.send(0, filtered("s", 1, "s", both));
            Map<?, ?> granted = (Map<?, ?>) filterOf(peer.next(ATTACH));
            assertThat(granted).hasSize(1);
            Described session = (Described) granted.get(symbol("my-session"));
            assertThat(session.code()).isEqualTo(0x137000000CL);
            assertThat(session.value()).isEqualTo("one");
            Map<String, Object> next = new LinkedHashMap<>();
            next.put(SESSION_FILTER.toString(), "two");
            next.put("again", described(SESSION_FILTER, "three"));
            peer.send(0, filtered("u", 2, "s", next));
            refused(peer, "amqp:invalid-field", "one session filter");
        }
    }

    private void awaitDetachOf(RawPeer peer, int links) throws Exception {
        for (int i = 0; i < links; i++) {
            refused(peer, "amqp:link:detach-forced", "The messaging entity 'q' was deleted.");
        }
    }

    @Test
    @DisplayName("Senders and management links are detached when their entity is deleted (wire 9.3)")
    void linksFollowTheEntity() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            peer.send(0, RawPeer.sender("ms", 1, "q/$management"));
            peer.send(0, RawPeer.receiver("mr", 2, "q/$management").setTarget(new Target().setAddress("me")));
            peer.next(ATTACH);
            peer.next(ATTACH);
            queue.delete();
            queue = broker.first.add(QueueDescription.named("q").build(), 256 * 1024);
            awaitDetachOf(peer, 3);
            peer.send(0, RawPeer.sender("ms", 3, "q/$management"));
            peer.send(0, RawPeer.receiver("mr", 4, "q/$management").setTarget(new Target().setAddress("me")));
            peer.next(ATTACH);
            peer.next(ATTACH);
            peer.flow(0, 4, 0, 5, false, false);
            peer.message(0, 3, 0, renewal("1"));
            assertThat(status(peer.next(TRANSFER))).isEqualTo(501L); // the answer of this test's queue
        }
        assertThat(queue.commands).isNotEmpty();
    }

    private static byte[] renewal(String id) {
        Properties properties = new Properties();
        properties.setMessageId(id);
        properties.setReplyTo("me");
        return RawPeer.encode(
                properties,
                new ApplicationProperties(Map.of("operation", "com.microsoft:peek-message")),
                new AmqpValue<>(Map.of("from-sequence-number", 1L, "message-count", 1)));
    }

    private static Object status(Frame response) {
        return ((Map<?, ?>) RawPeer.sections(response.payload()).get(2).value()).get("statusCode");
    }

    @Test
    @DisplayName("A management link attaches before the token, and each request checks for the claim (wire 22)")
    void managesBeforeTheToken() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            for (String address : List.of("q", "missing")) { // the client gets no information about existing entities
                int handle = address.equals("q") ? 0 : 2;
                peer.send(0, RawPeer.sender("s" + handle, handle, address + "/$management"));
                peer.send(
                        0,
                        RawPeer.receiver("r" + handle, handle + 1, address + "/$management")
                                .setTarget(new Target().setAddress("me")));
                assertThat(peer.next(ATTACH).field(6)).isNotNull();
                assertThat(peer.next(ATTACH).field(5)).isNotNull();
                peer.flow(0, handle + 1, 0, 10, false, false);
            }
            peer.message(0, 0, 0, renewal("1"));
            Frame refused = peer.next(TRANSFER);
            assertThat(status(refused)).isEqualTo(401L);
            peer.message(0, 2, 1, renewal("2"));
            assertThat(status(peer.next(TRANSFER))).isEqualTo(401L);

            peer.send(0, RawPeer.sender("cs", 10, "$cbs"));
            peer.send(0, RawPeer.receiver("cr", 11, "$cbs").setTarget(new Target().setAddress("cbs")));
            peer.next(ATTACH);
            peer.next(ATTACH);
            peer.flow(0, 11, 0, 10, false, false);
            String token = SharedAccessSignature.create(
                    "sb://first/", RULE, InMemoryBroker.KEY, broker.nowMs.get() / 1000 + 600);
            peer.message(0, 10, 2, RawPeer.putToken("t", "cbs", "sb://first/", token));
            peer.next(TRANSFER);
            peer.message(0, 0, 3, renewal("3"));
            assertThat(status(peer.next(TRANSFER))).isEqualTo(501L);
            peer.message(0, 2, 4, renewal("4"));
            assertThat(status(peer.next(TRANSFER))).isEqualTo(404L);
            queue.delete();
            awaitDetachOf(peer, 2);
        }
    }

    @Test
    @DisplayName("The number of links before a token is limited, management links included (wire 2.5)")
    void boundsLinksBeforeTheToken() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            for (int i = 0; i < 65; i++) {
                peer.send(0, RawPeer.receiver("r" + i, i, "q/$management"));
            }
            Described error = (Described) peer.next(0x18).field(0);
            assertThat(error.fields().get(0)).isEqualTo(symbol("amqp:connection:forced"));
        }
    }

    @Test
    @DisplayName(
            "A link that ends its connection, because it is one too many without a token, is not counted (QUOTA-8)")
    void aLinkThatEndsItsConnectionIsNotCounted() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first").begin(0);
            for (int handle = 0; handle <= 64; handle++) {
                peer.send(0, RawPeer.sender("s" + handle, handle, "$cbs"));
            }
            peer.next(CLOSE);
        }
        try (RawPeer peer = authorized()) { // on the same event loop, after everything about the other peer
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            assertThat(gateway.figures().namespaces().get("first").links()).isEqualTo(1);
        }
    }
}
