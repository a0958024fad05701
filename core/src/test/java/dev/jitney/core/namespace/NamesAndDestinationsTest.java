package dev.jitney.core.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityNames;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("HTTP 5.1, 2.9, 5.3: names and forwarding destinations")
class NamesAndDestinationsTest {
    private static final Map<String, EntityDescription> NAMESPACE = Map.of(
            "q", QueueDescription.named("q").build(),
            "d", QueueDescription.named("D").requiresSession(true).build(),
            "deep/t", TopicDescription.named("deep/t").build(),
            "t/subscriptions/s", SubscriptionDescription.of("t", "s").build());

    static String[] goodPaths() {
        return new String[] {
            "q",
            "1",
            "_error",
            "error_",
            "a.b-c_d",
            "a/b/c",
            "größe",
            "a~b",
            "~a~",
            "a:b",
            "a$b",
            "a!b&c'd(e)f+g,h;i=j",
            "a[b]{c}<d>|e^f`g\"h",
            "\uD83D\uDE80",
            "subscriptions",
            "rules",
            "subscriptions/new/orders",
            "x".repeat(260)
        };
    }

    @ParameterizedTest
    @MethodSource("goodPaths")
    @DisplayName("MSG-9, HTTP checklist 40: valid paths of queues and topics")
    void pathsThatMayBe(String path) {
        assertThat(EntityNames.refusePath(path)).isNull();
    }

    static String[] badPaths() {
        return new String[] {
            "",
            "a b",
            "a?b",
            "a@b",
            "a#b",
            "a*b",
            "a\\b",
            "a%b",
            "a\nb",
            "a\u00a0b",
            "a\u200bb",
            "\uD83D",
            "a\u0000",
            "/a",
            "a/",
            "a//b",
            "-a",
            "a.",
            ".",
            "..",
            "a/../b",
            "a/./b",
            "$cbs",
            "$management",
            "$Resources",
            "$namespaceinfo",
            "a/$management",
            "a/$x",
            "a/subscriptions",
            "a/Subscriptions/b",
            "a/subscriptions/b/rules/c",
            "a/rules",
            "a/RULES/b",
            "x".repeat(261)
        };
    }

    @ParameterizedTest
    @MethodSource("badPaths")
    @DisplayName("MSG-9, HTTP checklist 40: invalid paths")
    void pathsThatMayNotBe(String path) {
        Rejection refusal = EntityNames.refusePath(path);
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(refusal.description()).doesNotContain("\n").hasSizeLessThan(400);
    }

    @ParameterizedTest
    @CsvSource({
        "s,true,true",
        "a.b-c_d,true,true",
        "$Default,false,true",
        "$,false,false",
        "a$b,true,true",
        "a~b,true,true",
        "a:b=c,true,true"
    })
    @DisplayName("MSG-9, HTTP 5.1: names of subscriptions and rules; only the name of a rule may begin with a dollar"
            + " sign")
    void childNames(String name, boolean subscription, boolean rule) {
        assertThat(EntityNames.refuseChildName(name, false) == null).isEqualTo(subscription);
        assertThat(EntityNames.refuseChildName(name, true) == null).isEqualTo(rule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a/b",
                "a\\b",
                "a b",
                "a?b",
                ".",
                "..",
                "$..",
                "012345678901234567890123456789012345678901234567890"
            })
    @DisplayName("RULE-2, HTTP checklist 40: invalid names of subscriptions and rules")
    void childNamesThatMayNotBe(String name) {
        assertThat(EntityNames.refuseChildName(name, false)).isNotNull();
        assertThat(EntityNames.refuseChildName(name, true)).isNotNull();
        assertThat(EntityNames.refuseChildName("x".repeat(50), true)).isNull();
    }

    @ParameterizedTest(name = "{0} from {1}: {2}")
    @CsvSource(
            nullValues = "-",
            value = {
                "d,q,-",
                "D,q,-",
                "sb://host/d,q,-",
                "https://other.example:5300/deep/T/,q,-",
                "sb://host/deep%2Ft,q,-",
                "deep\\t,q,-",
                "q,q,INVALID_OPERATION",
                "Q,q,INVALID_OPERATION",
                "sb://HOST:5671/Q/,q,INVALID_OPERATION",
                "t/SUBSCRIPTIONS/S,t/Subscriptions/s,INVALID_OPERATION",
                "t,t/Subscriptions/s,INVALID_OPERATION",
                "sb://host/T,t/Subscriptions/s,INVALID_OPERATION",
                "t/subscriptions/s,q,FORWARDING_DESTINATION_NOT_FOUND",
                "missing,q,FORWARDING_DESTINATION_NOT_FOUND",
                "sb://host,q,FORWARDING_DESTINATION_NOT_FOUND",
                "d/$DeadLetterQueue,q,FORWARDING_DESTINATION_NOT_FOUND",
                "q/$DeadLetterQueue,q,FORWARDING_DESTINATION_NOT_FOUND",
                "d/$management,q,FORWARDING_DESTINATION_NOT_FOUND",
            })
    @DisplayName("FWD-1, FWD-2, FWD-5, HTTP checklist 42, 43: a destination is another existing queue or topic")
    void destinations(String destination, String source, @Nullable ErrorCode expected) {
        EntityDescription[] sources = source.equals("q")
                ? new EntityDescription[] {
                    QueueDescription.named("q").forwardTo(destination).build(),
                    QueueDescription.named("q")
                            .forwardDeadLetteredMessagesTo(destination)
                            .build()
                }
                : new EntityDescription[] {
                    SubscriptionDescription.of("t", "s").forwardTo(destination).build(),
                    SubscriptionDescription.of("t", "s")
                            .forwardDeadLetteredMessagesTo(destination)
                            .build()
                };
        for (EntityDescription from : sources) {
            Rejection refusal = forwarding(from);
            assertThat(refusal == null ? null : refusal.code()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("FWD-6, HTTP checklist 44: a source with sessions cannot forward messages but dead letters; a"
            + " destination can have sessions")
    void sessions(boolean subscription) {
        Rejection refusal = forwarding(
                subscription
                        ? SubscriptionDescription.of("t", "s")
                                .requiresSession(true)
                                .forwardTo("d")
                                .build()
                        : QueueDescription.named("q")
                                .requiresSession(true)
                                .forwardTo("d")
                                .build());
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(refusal.description()).startsWith("Bad Request.").contains("ForwardTo");
        assertThat(forwarding(QueueDescription.named("q")
                        .requiresSession(true)
                        .forwardDeadLetteredMessagesTo("d")
                        .build()))
                .isNull();
    }

    private static @Nullable Rejection forwarding(EntityDescription from) {
        return EntityRules.refuseForwarding(from, path -> NAMESPACE.get(EntityAddress.keyOf(path)));
    }
}
