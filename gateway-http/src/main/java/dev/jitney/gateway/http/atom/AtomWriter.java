package dev.jitney.gateway.http.atom;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A writer of entries and feeds in the order and format that all SDKs can read (HTTP reference 2.5, 2.6 and 7). */
public final class AtomWriter {
    /** Media type of an entry. */
    public static final String ENTRY_TYPE = "application/atom+xml; type=entry; charset=utf-8";

    /** Media type of a feed. */
    public static final String FEED_TYPE = "application/atom+xml; type=feed; charset=utf-8";

    private static final int ENTRY_CHARACTERS = 3_072;
    private static final String TYPE = "type";
    private static final String TEXT = "text";

    private AtomWriter() {}

    /** Returns an entry as a response of its own. */
    public static byte[] entry(AtomEntry entry) {
        XmlWriter out = new XmlWriter(ENTRY_CHARACTERS);
        out.open("entry", "xmlns", XmlNames.ATOM);
        body(out, entry);
        return out.close("entry").toBytes();
    }

    /**
     * Returns a page of a list.
     *
     * @param title {@code Queues}, {@code Topics}, {@code Subscriptions} or {@code Rules}
     * @param url absolute URL of the request
     * @param next absolute URL of the next page, or null on the last one; SDKs require it directly after the self link
     */
    public static byte[] feed(String title, String url, long nowMs, @Nullable String next, List<AtomEntry> entries) {
        XmlWriter out = new XmlWriter(ENTRY_CHARACTERS * (1 + entries.size()));
        out.open("feed", "xmlns", XmlNames.ATOM);
        title(out, title);
        out.text("id", url).text("updated", XmlTimes.seconds(nowMs)).empty("link", "rel", "self", "href", url);
        if (next != null) {
            out.empty("link", "rel", "next", "href", next);
        }
        for (AtomEntry entry : entries) {
            out.open("entry", "xml:base", url);
            body(out, entry);
            out.close("entry");
        }
        return out.close("feed").toBytes();
    }

    /**
     * Returns the response for a name that no queue or topic has: a feed with a title that SDKs compare literally, and
     * the names that begin with this one, usually none.
     */
    public static byte[] discovery(long nowMs, @Nullable String next, List<AtomEntry> entries) {
        XmlWriter out = new XmlWriter(ENTRY_CHARACTERS);
        out.open("feed", "xmlns", XmlNames.ATOM);
        title(out, "Publicly Listed Services");
        out.open("subtitle", TYPE, TEXT).characters("none").close("subtitle");
        out.text("id", "uuid:" + UUID.randomUUID() + ";id=1")
                .text("updated", XmlTimes.seconds(nowMs))
                .text("generator", "Service Bus 1.1");
        if (next != null) {
            out.empty("link", "rel", "next", "href", next);
        }
        for (AtomEntry entry : entries) {
            out.open("entry");
            body(out, entry);
            out.close("entry");
        }
        return out.close("feed").toBytes();
    }

    private static void body(XmlWriter out, AtomEntry entry) {
        out.text("id", entry.id());
        title(out, entry.title());
        Long publishedMs = entry.publishedMs();
        if (publishedMs != null) {
            out.text("published", XmlTimes.seconds(publishedMs));
        }
        out.text("updated", XmlTimes.seconds(entry.updatedMs()));
        if (entry.author() != null) {
            out.open("author").text("name", entry.author()).close("author");
        }
        AtomContent content = entry.content();
        out.empty("link", "rel", content == null ? "alternate" : "self", "href", entry.selfLink());
        if (content != null) {
            out.open("content", TYPE, "application/xml");
            content.write(out);
            out.close("content");
        }
    }

    private static void title(XmlWriter out, String title) {
        out.open("title", TYPE, TEXT).characters(title).close("title");
    }
}
