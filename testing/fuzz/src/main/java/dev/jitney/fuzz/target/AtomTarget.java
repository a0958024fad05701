package dev.jitney.fuzz.target;

import dev.jitney.core.namespace.EntityRules;
import dev.jitney.core.namespace.FilterRules;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.input.AtomTexts;
import dev.jitney.gateway.http.atom.ApiVersion;
import dev.jitney.gateway.http.atom.AtomContent;
import dev.jitney.gateway.http.atom.AtomEntry;
import dev.jitney.gateway.http.atom.AtomWriter;
import dev.jitney.gateway.http.atom.DescriptionXml;
import dev.jitney.gateway.http.atom.Dialect;
import dev.jitney.gateway.http.atom.Elements;
import dev.jitney.gateway.http.atom.EntityFacts;
import dev.jitney.gateway.http.atom.EntryReader;
import dev.jitney.gateway.http.atom.MalformedEntryException;
import dev.jitney.gateway.http.atom.RuleXml;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that creates or changes an entity. It is refused in one sentence, or it is a description. A
 * valid description stays the same when it is written for a client that sends it back.
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
                case "QueueDescription" ->
                    description(in, QueueDescription.named("q").build());
                case "TopicDescription" ->
                    description(in, TopicDescription.named("t").build());
                case "SubscriptionDescription" -> {
                    rule(RuleXml.readFirst(in));
                    description(in, SubscriptionDescription.of("t", "s").build());
                }
                default -> rule(RuleXml.read(in, "r"));
            }
        } catch (MalformedEntryException refused) {
            sentence(refused);
        }
    }

    private <D extends EntityDescription> void description(Elements in, D named) throws Exception {
        D first = DescriptionXml.read(in, named, null, DIALECT, () -> KEY);
        if (lawful(EntityRules.refuseCreation(first, LIMITS))) {
            Elements told = told(DescriptionXml.content(first, FACTS, DIALECT));
            same(first, () -> DescriptionXml.read(told, named, first, DIALECT, () -> KEY));
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
            throw new AssertionError("Expected a reason for the refusal, but got " + rejection + ".");
        }
        return rejection == null;
    }

    /** Returns what a client reads from an answer. */
    private Elements told(AtomContent content) {
        byte[] answer = AtomWriter.entry(new AtomEntry("id", "self", "title", 1L, 1, "first", content));
        try {
            return reader.description(answer);
        } catch (MalformedEntryException broken) {
            throw new AssertionError(
                    "Expected an answer that clients can read, but got " + new String(answer, StandardCharsets.UTF_8),
                    broken);
        }
    }

    /** The reader of a description. */
    private interface Reading {
        Object read() throws MalformedEntryException;
    }

    private static void same(Object first, Reading second) {
        try {
            Object again = second.read();
            if (!again.equals(first)) {
                throw new AssertionError(
                        "Expected " + first + " to be the same after it was written and read, but got " + again + ".");
            }
        } catch (MalformedEntryException broken) {
            throw new AssertionError(
                    "Expected " + first + " to be written so that it can be read, but it cannot.", broken);
        }
    }

    private static void sentence(MalformedEntryException refused) {
        if (refused.sentence().isBlank() || refused.sentence().contains("\n")) {
            throw new AssertionError("Expected one line that describes the error, but got: " + refused.sentence());
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
