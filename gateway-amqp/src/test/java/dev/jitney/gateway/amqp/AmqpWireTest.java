package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The checklist of the wire reference, section 11, as far as frames show it: connections, tokens and links. */
class AmqpWireTest extends AmqpWireScenario {
    private static final int OPEN = 0x10;
    private static final int BEGIN = 0x11;
    private static final int CLOSE = 0x18;

    private static Described error(Frame frame, int index) {
        Described error = (Described) frame.field(index);
        assertThat(error.fields()).hasSize(3);
        assertThat((String) error.fields().get(1)).contains("TrackingId:").contains("Timestamp:");
        return error;
    }

    private static void condition(Frame frame, int index, String condition) {
        assertThat(error(frame, index).fields().get(0)).isEqualTo(symbol(condition));
    }

    @Test
    void saslHeaderIsAnsweredAndMechanismsOffered_wire1() throws Exception {
        try (RawPeer peer = peer()) {
            peer.raw(RawPeer.SASL);
            assertThat(peer.header()).isEqualTo(RawPeer.SASL);
            Frame mechanisms = peer.frame();
            assertThat(mechanisms.type()).isEqualTo(1);
            assertThat(mechanisms.code()).isEqualTo(0x40);
            assertThat(mechanisms.field(0)).isEqualTo(List.of(symbol("MSSBCBS"), symbol("PLAIN"), symbol("ANONYMOUS")));
        }
    }

    @Test
    void everyMechanismWithoutProofIsWelcome_wire2() throws Exception {
        for (String mechanism : List.of("MSSBCBS", "ANONYMOUS", "EXTERNAL")) {
            for (byte[] response : new byte[][] {null, new byte[0], "anonymous".getBytes()}) {
                try (RawPeer peer = peer().sasl(mechanism, response)) {
                    Frame outcome = peer.frame();
                    assertThat(outcome.code()).isEqualTo(0x44);
                    assertThat(outcome.field(0)).isEqualTo(0L);
                    assertThat((byte[]) outcome.field(1)).isEqualTo("Welcome!".getBytes());
                }
            }
        }
    }

    @Test
    void plainNeedsTheRightKey_wire3() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
        }
        try (RawPeer peer = peer().sasl("PLAIN", ("\0" + RULE + "\0wrong").getBytes())) {
            assertThat(peer.frame().field(0)).isEqualTo(1L);
            assertThat(peer.atEnd()).isTrue();
        }
    }

    @Test
    void aClientMaySkipSasl_wire4() throws Exception {
        try (RawPeer peer = peer().open("first")) {
            peer.begin(0);
            putToken(peer, 0, "q", "reply");
            peer.send(0, RawPeer.sender("s", 7, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
        }
    }

    private void putToken(RawPeer peer, int channel, String audience, String replyTo) throws IOException {
        peer.send(channel, RawPeer.sender("cbs-s", 100, "$cbs"));
        peer.send(
                channel,
                RawPeer.receiver("cbs-r", 101, "$cbs")
                        .setTarget(new org.apache.qpid.protonj2.types.messaging.Target().setAddress(replyTo)));
        peer.next(ATTACH);
        peer.next(ATTACH);
        peer.flow(channel, 101, 0, 10, false, false);
        peer.message(channel, 100, 0, RawPeer.putToken("id-1", replyTo, "sb://first/" + audience, token("q", 3600)));
        Frame response = peer.next(TRANSFER);
        Map<?, ?> application =
                (Map<?, ?>) RawPeer.sections(response.payload()).get(2).value();
        assertThat(application.get("status-code")).isEqualTo(202L);
        assertThat(application.get("status-description")).isEqualTo("Accepted");
        assertThat(RawPeer.sections(response.payload()).get(1).fields().get(5)).isEqualTo("id-1");
    }

    private String token(String path, long seconds) {
        return dev.jitney.runtime.security.SharedAccessSignature.create(
                "sb://first/" + path, RULE, InMemoryBroker.KEY, broker.nowMs.get() / 1000 + seconds);
    }

    @Test
    void openAndBeginAreFullLength_wire5_6_7() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.raw(RawPeer.AMQP);
            peer.header();
            peer.send(
                    0,
                    new org.apache.qpid.protonj2.types.transport.Open()
                            .setContainerId("c")
                            .setHostname("first:5671")
                            .setMaxFrameSize(65_536));
            Frame open = peer.frame();
            assertThat(open.code()).isEqualTo(OPEN);
            fullLength(open, 10);
            assertThat(open.field(0)).isNotNull();
            assertThat(open.field(2)).isEqualTo(65_536L);
            assertThat(open.field(4)).isEqualTo(120_000L);
            Frame begin = peer.begin(1);
            fullLength(begin, 8);
            assertThat(begin.field(0)).isEqualTo(1L);
            assertThat(begin.field(4)).isNotNull();
        }
    }

    @Test
    void attachEchoesWhatTheClientSaid_wire7_25_26_27() throws Exception {
        try (RawPeer peer = authorized()) {
            Attach attach = RawPeer.sender("s", 1, "amqps://h/q")
                    .setSource(null)
                    .setProperties(Map.of(Symbol.valueOf("com.example:any"), "kept"));
            peer.send(0, attach);
            Frame reply = peer.next(ATTACH);
            fullLength(reply, 14);
            assertThat(reply.field(0)).isEqualTo("s");
            assertThat(reply.field(2)).isEqualTo(true);
            assertThat(reply.field(3)).isNull();
            assertThat(reply.field(4)).isNull();
            assertThat(reply.field(5)).isNull();
            assertThat(((Described) reply.field(6)).fields()).hasSize(7).startsWith("amqps://h/q");
            assertThat((long) reply.field(10)).isEqualTo(256 * 1024);
            assertThat(reply.field(13)).isEqualTo(Map.of(symbol("com.example:any"), "kept"));
            Frame flow = peer.frame();
            fullLength(flow, 11);
            assertThat(flow.code()).isEqualTo(FLOW);
            assertThat((long) flow.field(6)).isBetween(100L, 1000L);

            peer.send(0, RawPeer.receiver("r", 2, "/q").setTarget((Target) null));
            reply = peer.next(ATTACH);
            assertThat(((Described) reply.field(5)).fields()).hasSize(11).startsWith("/q");
            assertThat(reply.field(3)).isEqualTo(0L);
            assertThat(reply.field(4)).isEqualTo(1L);
            assertThat(reply.field(6)).isNull();
            assertThat(reply.field(9)).isEqualTo(0L);
        }
    }

    @Test
    void anyHostnameOpensAndSelectsTheNamespace_wire11() throws Exception {
        for (String host : new String[] {"first", "first:5671", "FIRST.example", null, "other"}) {
            try (RawPeer peer = peer().anonymous()) {
                peer.frame();
                peer.open(host);
                peer.begin(0);
            }
        }
        broker.second.add(QueueDescription.named("only-second").build(), 1000);
        try (RawPeer peer = peer().sasl("PLAIN", ("\0" + RULE + "\0" + InMemoryBroker.KEY).getBytes())) {
            peer.frame();
            peer.open("second.example:5671");
            peer.begin(0);
            peer.send(0, RawPeer.sender("s", 0, "only-second"));
            Frame attach = peer.next(ATTACH);
            assertThat(attach.field(6))
                    .as("a credential of one namespace opens no other")
                    .isNull();
        }
    }

    @Test
    void aRefusedAttachIsAttachAndDetachAndNothingBetween_wire28_84() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 3, "missing"));
            Frame attach = peer.frame();
            fullLength(attach, 14);
            assertThat(attach.field(6)).isNull();
            assertThat(attach.field(5)).isNotNull();
            Frame detach = peer.frame();
            assertThat(detach.code()).isEqualTo(DETACH);
            fullLength(detach, 3);
            assertThat(detach.field(1)).isEqualTo(true);
            condition(detach, 2, "amqp:not-found");
            assertThat((String) error(detach, 2).fields().get(1))
                    .matches(".*The messaging entity 'sb://first.example/missing' could not be found.*");

            peer.send(0, new Detach().setHandle(3).setClosed(true));
            peer.send(0, RawPeer.receiver("s", 3, "missing"));
            attach = peer.frame();
            assertThat(attach.field(5)).isNull();
            condition(peer.frame(), 2, "amqp:not-found");
        }
    }

    @Test
    void attachWithoutATokenIsUnauthorized_wire22() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            Frame detach = peer.next(DETACH);
            condition(detach, 2, "amqp:unauthorized-access");
            assertThat((String) error(detach, 2).fields().get(1)).contains("'Listen' claim(s) are required");
        }
        try (RawPeer peer = peer().plain("sender", InMemoryBroker.KEY)) {
            peer.begin(0);
            peer.send(0, RawPeer.sender("s", 0, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
            peer.send(0, RawPeer.receiver("r", 1, "q"));
            condition(peer.next(DETACH), 2, "amqp:unauthorized-access");
        }
    }

    @Test
    void anExpiredTokenDetachesItsLinks_wire23() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            putToken(peer, 0, "q", "reply");
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            broker.nowMs.addAndGet(3_600_001);
            Frame detach = peer.next(DETACH);
            condition(detach, 2, "amqp:link:detach-forced");
            assertThat((String) error(detach, 2).fields().get(1)).contains("RenewToken");
        }
    }

    @Test
    void tokensAreRefusedWithTheWordsOfTheCloud_wire20() throws Exception {
        try (RawPeer peer = peer().anonymous()) {
            peer.frame();
            peer.open("first");
            peer.begin(0);
            putToken(peer, 0, "q", "reply");
            peer.message(0, 100, 1, RawPeer.putToken("x", "reply", "sb://first/q", token("q", 3600) + "x"));
            Map<?, ?> application = (Map<?, ?>)
                    RawPeer.sections(peer.next(TRANSFER).payload()).get(2).value();
            assertThat(application.get("status-code")).isEqualTo(401L);
            assertThat(application.get("error-condition")).isEqualTo(symbol("com.microsoft:auth-failed"));
            peer.message(0, 100, 2, RawPeer.putToken("y", "reply", "sb://first/nope", token("nope", 3600)));
            application = (Map<?, ?>)
                    RawPeer.sections(peer.next(TRANSFER).payload()).get(2).value();
            assertThat(application.get("status-code")).isEqualTo(404L);
            assertThat((String) application.get("status-description"))
                    .contains("The messaging entity 'sb://first/nope' could not be found");
        }
    }

    @Test
    void addressFormsResolve_wire24() throws Exception {
        broker.first.add(QueueDescription.named("a/b c").build(), 1000);
        try (RawPeer peer = authorized()) {
            int handle = 0;
            for (String address : List.of("q", "/q", "amqps://h/q", "sb://h:5672/q", "Q", "a/b%20c")) {
                peer.send(0, RawPeer.sender("s" + handle, handle++, address));
                Frame attach = peer.next(ATTACH);
                assertThat(((Described) attach.field(6)).fields().get(0)).isEqualTo(address);
            }
            for (String address : List.of("q/$DeadLetterQueue", "q/$deadletterqueue", "q/$Transfer/$DeadLetterQueue")) {
                peer.send(0, RawPeer.receiver("r" + handle, handle++, address));
                Frame attach = peer.next(ATTACH);
                assertThat(((Described) attach.field(5)).fields().get(0)).isEqualTo(address);
            }
            peer.send(0, RawPeer.sender("dlq", handle, "q/$DeadLetterQueue"));
            condition(peer.next(DETACH), 2, "amqp:not-allowed");
        }
    }

    @Test
    void disabledEntitiesRefuseLinks_susp() throws Exception {
        broker.first.add(
                QueueDescription.named("off").status(EntityStatus.DISABLED).build(), 1000);
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "off"));
            condition(peer.next(DETACH), 2, "com.microsoft:entity-disabled");
        }
    }

    @Test
    void detachIsAnsweredAndNamesMayBeUsedAgain_wire34_35_36() throws Exception {
        fill(2);
        try (RawPeer peer = authorized();
                RawPeer other = authorized()) {
            peer.send(0, RawPeer.receiver("same", 0, "q"));
            peer.next(ATTACH);
            other.send(0, RawPeer.receiver("same", 0, "q"));
            other.next(ATTACH);
            peer.flow(0, 0, 0, 1, false, false);
            peer.next(TRANSFER);
            peer.send(0, new Detach().setHandle(0).setClosed(true));
            Frame detach = peer.frame();
            assertThat(detach.code()).isEqualTo(DETACH);
            assertThat(detach.field(1)).isEqualTo(true);
            assertThat(detach.field(2)).isNull();
            assertThat(queue.lockedCount()).isEqualTo(1);
            peer.send(0, RawPeer.receiver("same", 0, "q"));
            assertThat(peer.frame().code()).isEqualTo(ATTACH);
            peer.send(0, RawPeer.receiver("same", 1, "q"));
            condition(peer.next(DETACH), 2, "amqp:link:stolen");
            assertThat(peer.next(ATTACH).field(0)).isEqualTo("same");
        }
    }

    @Test
    @DisplayName("RECV-11: a receiver on a topic or subscription that does not exist is refused, its sub-queue too")
    void missingSubscriptionsAreRefused() throws Exception {
        try (RawPeer peer = authorized()) {
            int handle = 0;
            for (String path : List.of(
                    "t", "t/Subscriptions/s", "q/Subscriptions/s", "t/subscriptions/s/$DeadLetterQueue", "q/other")) {
                peer.send(0, RawPeer.receiver("r" + handle, handle, path));
                assertThat(peer.next(ATTACH).field(5)).as(path).isNull();
                condition(peer.next(DETACH), 2, "amqp:not-found");
                peer.send(0, new Detach().setHandle(handle).setClosed(true));
                handle++;
            }
            peer.send(0, RawPeer.receiver("fine", handle, "q"));
            assertThat(peer.next(ATTACH).field(5)).isNotNull();
        }
    }

    @Test
    void deletingAnEntityDetachesItsReceivers_wire86() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            peer.next(ATTACH);
            queue.closeReceivers(dev.jitney.model.Rejection.of(dev.jitney.model.ErrorCode.ENTITY_NOT_FOUND));
            condition(peer.next(DETACH), 2, "amqp:link:detach-forced");
        }
    }

    @Test
    void shutdownTellsTheClient() throws Exception {
        try (RawPeer peer = authorized()) {
            gateway.close();
            condition(peer.next(CLOSE), 0, "amqp:connection:forced");
            assertThat(peer.closedAfter(new ArrayList<>())).isTrue();
        }
    }

    @Test
    void beginAnswersAreFullLengthOnSparseChannels_wire6() throws Exception {
        try (RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY)) {
            Frame begin = peer.begin(42);
            assertThat(begin.code()).isEqualTo(BEGIN);
            assertThat(begin.field(0)).isEqualTo(42L);
        }
    }
}
