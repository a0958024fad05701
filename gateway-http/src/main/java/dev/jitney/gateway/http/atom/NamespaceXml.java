package dev.jitney.gateway.http.atom;

import dev.jitney.model.TierProfile;

/**
 * The element {@code NamespaceInfo} (HTTP reference 2.7). It has no {@code Alias}, because an empty one breaks the
 * older Java client.
 */
public final class NamespaceXml {
    private static final String ELEMENT = "NamespaceInfo";

    private NamespaceXml() {}

    /** Returns the information about a namespace; times are milliseconds since the epoch. */
    public static AtomContent content(String name, TierProfile tier, long createdAtMs, long modifiedAtMs) {
        return out -> {
            out.open(ELEMENT, "xmlns", XmlNames.CONNECT, "xmlns:i", XmlNames.INSTANCE)
                    .text("CreatedTime", XmlTimes.precise(createdAtMs))
                    .text(
                            "MessagingSKU",
                            switch (tier) {
                                case BASIC -> "Basic";
                                case STANDARD -> "Standard";
                                case PREMIUM -> "Premium";
                            });
            if (tier == TierProfile.PREMIUM) {
                out.number("MessagingUnits", 1);
            }
            out.text("ModifiedTime", XmlTimes.precise(modifiedAtMs))
                    .text("Name", name)
                    .text("NamespaceType", "Messaging")
                    .close(ELEMENT);
        };
    }
}
