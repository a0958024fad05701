package dev.jitney.gateway.http.atom;

import dev.jitney.model.EntityStatus;
import java.util.Locale;

/** The element {@code Status}: only four values, because older Java clients support no others (HTTP reference 2.7). */
final class StatusXml {

    private StatusXml() {}

    static EntityStatus read(Elements in, String element) throws MalformedEntryException {
        String word = in.word(element);
        if (word == null) {
            return EntityStatus.ACTIVE;
        }
        for (EntityStatus status : EntityStatus.values()) {
            if (status.word().toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT))) {
                return status;
            }
        }
        throw Elements.expected(element, "Active, Disabled, SendDisabled or ReceiveDisabled", word); // SUSP-4
    }
}
