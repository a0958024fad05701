package dev.jitney.fuzz.target;

import dev.jitney.core.namespace.FilterRules;
import dev.jitney.core.namespace.QueueRules;
import dev.jitney.core.namespace.SubscriptionRules;
import dev.jitney.core.namespace.TopicRules;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.input.AtomTexts;
import dev.jitney.gateway.http.atom.ApiVersion;
import dev.jitney.gateway.http.atom.AtomContent;
import dev.jitney.gateway.http.atom.AtomEntry;
import dev.jitney.gateway.http.atom.AtomWriter;
import dev.jitney.gateway.http.atom.Dialect;
import dev.jitney.gateway.http.atom.Elements;
import dev.jitney.gateway.http.atom.EntityFacts;
import dev.jitney.gateway.http.atom.EntryReader;
import dev.jitney.gateway.http.atom.MalformedEntryException;
import dev.jitney.gateway.http.atom.QueueXml;
import dev.jitney.gateway.http.atom.RuleXml;
import dev.jitney.gateway.http.atom.SubscriptionXml;
import dev.jitney.gateway.http.atom.TopicXml;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.Rule;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that creates or changes an entity: refused in one sentence, or a description; and a description that
 * is lawful is the same again when it is told to a client that sends it back.
 */
final class AtomTarget implements FuzzTarget {
    private static final Limits LIMITS = Limits.of(TierProfile.STANDARD);
    private static final Dialect DIALECT =
            new Dialect(ApiVersion.of("2024-05"), LIMITS, Partitioning.DEFAULT, "localhost");
    private static final EntityFacts FACTS =
            new EntityFacts(1, 1, 1, new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0), EntityAvailability.AVAILABLE, 0, 0, 0);
    private static final String KEY = "a key";

    private final EntryReader reader = new EntryReader();

    @Override
    public String name() {
        return "atom";
    }

    @Override
    public byte[] generate(Random random) {
        return new AtomTexts(random)
                .entry()
                .getBytes(random.nextInt(10) == 0 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
    }

    @Override
    public void run(byte[] input) throws Exception {
        Elements in;
        try {
            in = reader.description(input);
        } catch (MalformedEntryException refused) {
            sentence(refused);
            return;
        }
        try {
            switch (in.name()) {
                case QueueXml.ELEMENT -> queue(in);
                case TopicXml.ELEMENT -> topic(in);
                case SubscriptionXml.ELEMENT -> subscription(in);
                default -> rule(RuleXml.read(in, "r"));
            }
        } catch (MalformedEntryException refused) {
            sentence(refused);
        }
    }

    private void queue(Elements in) throws Exception {
        QueueDescription first = QueueXml.read(in, "q", null, DIALECT, () -> KEY);
        if (lawful(QueueRules.refuseCreation(first, LIMITS))) {
            Elements told = told(QueueXml.content(first, FACTS, DIALECT));
            same(first, () -> QueueXml.read(told, "q", first, DIALECT, () -> KEY));
        }
    }

    private void topic(Elements in) throws Exception {
        TopicDescription first = TopicXml.read(in, "t", null, DIALECT, () -> KEY);
        if (lawful(TopicRules.refuseCreation(first, LIMITS))) {
            Elements told = told(TopicXml.content(first, FACTS, DIALECT));
            same(first, () -> TopicXml.read(told, "t", first, DIALECT, () -> KEY));
        }
    }

    private void subscription(Elements in) throws Exception {
        rule(SubscriptionXml.readFirstRule(in));
        SubscriptionDescription first = SubscriptionXml.read(in, "t", "s", null, DIALECT);
        if (lawful(SubscriptionRules.refuseCreation(first, LIMITS))) {
            Elements told = told(SubscriptionXml.content(first, FACTS, DIALECT));
            same(first, () -> SubscriptionXml.read(told, "t", "s", first, DIALECT));
        }
    }

    private void rule(RuleDescription first) throws Exception {
        if (lawful(FilterRules.refuse(first, LIMITS))) {
            Elements told = told(RuleXml.content(new Rule(first, 1)));
            same(first, () -> RuleXml.read(told, first.name()));
        }
    }

    private static boolean lawful(@Nullable Rejection rejection) {
        if (rejection != null && rejection.description().isBlank()) {
            throw new AssertionError("Expected a reason, but got " + rejection + ".");
        }
        return rejection == null;
    }

    /** What a client reads in an answer. */
    private Elements told(AtomContent content) {
        byte[] answer = AtomWriter.entry(new AtomEntry("id", "self", "title", 1L, 1, "first", content));
        try {
            return reader.description(answer);
        } catch (MalformedEntryException broken) {
            throw new AssertionError(
                    "Expected an answer clients can read, but got " + new String(answer, StandardCharsets.UTF_8),
                    broken);
        }
    }

    /** Reads a description. */
    private interface Reading {
        Object read() throws MalformedEntryException;
    }

    private static void same(Object first, Reading second) {
        try {
            Object again = second.read();
            if (!again.equals(first)) {
                throw new AssertionError("Expected " + first + " to be the same again, but got " + again + ".");
            }
        } catch (MalformedEntryException broken) {
            throw new AssertionError("Expected " + first + " to be told so that it can be read.", broken);
        }
    }

    private static void sentence(MalformedEntryException refused) {
        if (refused.sentence().isBlank() || refused.sentence().contains("\n")) {
            throw new AssertionError("Expected one line that says what is wrong, but got: " + refused.sentence());
        }
    }

    @Override
    public List<byte[]> words() {
        return Stream.concat(
                        AtomTexts.words(),
                        Stream.of(
                                "<![CDATA[",
                                "]]>",
                                "&amp;",
                                "&#13;",
                                "&#x0;",
                                "<!DOCTYPE a>",
                                "xmlns=\"\"",
                                "<?a b?>",
                                "<!--",
                                "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
                                "i:nil=\"true\"",
                                "i:type=\"a:b\""))
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
