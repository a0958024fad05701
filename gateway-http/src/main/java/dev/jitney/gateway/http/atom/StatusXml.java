package dev.jitney.gateway.http.atom;

import dev.jitney.model.EntityStatus;
import java.util.Locale;

/** The element {@code Status}: only four values, because older Java clients know no others (HTTP reference 2.7). */
final class StatusXml {
    private static final String ELEMENT = "Status";

    private StatusXml() {}

    static EntityStatus read(Elements in) throws MalformedEntryException {
        String word = in.word(ELEMENT);
        if (word == null) {
            return EntityStatus.ACTIVE;
        }
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "active" -> EntityStatus.ACTIVE;
            case "disabled" -> EntityStatus.DISABLED;
            case "senddisabled" -> EntityStatus.SEND_DISABLED;
            case "receivedisabled" -> EntityStatus.RECEIVE_DISABLED;
            default ->
                throw Elements.expected(ELEMENT, "Active, Disabled, SendDisabled or ReceiveDisabled", word); // SUSP-4
        };
    }

    static void write(XmlWriter out, EntityStatus status) {
        out.text(
                ELEMENT,
                switch (status) {
                    case ACTIVE -> "Active";
                    case DISABLED -> "Disabled";
                    case SEND_DISABLED -> "SendDisabled";
                    case RECEIVE_DISABLED -> "ReceiveDisabled";
                });
    }
}
