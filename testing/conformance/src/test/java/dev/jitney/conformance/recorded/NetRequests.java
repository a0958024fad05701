package dev.jitney.conformance.recorded;

import java.util.List;
import java.util.Locale;

/**
 * The requests of {@code Azure.Messaging.ServiceBus} 7.x for .NET: capitalized booleans, and indented XML without a
 * declaration.
 */
final class NetRequests extends Recorded {
    private final String version;

    NetRequests(String version, String authority, long expirySeconds) {
        super(".NET, " + version, authority, expirySeconds);
        this.version = version;
    }

    @Override
    String getQuery(boolean runtime) {
        return "?api-version=" + version + "&enrich=" + (runtime ? "True" : "False");
    }

    @Override
    String listQuery(int skip) {
        return "?api-version=" + version + "&enrich=False&$skip=" + skip + "&$top=100";
    }

    @Override
    String writeQuery() {
        return "?api-version=" + version;
    }

    /** Returns a token for the path without the query, in lower case; the name of the rule is escaped too. */
    @Override
    String authorization(String pathAndQuery) {
        return token("https://" + authority().replaceAll(":\\d+$", "") + pathAndQuery.replaceAll("\\?.*", ""));
    }

    @Override
    String supplementary(String destination) {
        return token("https://" + authority() + "/" + destination);
    }

    private String token(String audience) {
        String resource = Signature.lower(audience.toLowerCase(Locale.ROOT));
        return signed(resource, Signature.upper(RULE));
    }

    @Override
    String forwardTo(String destination) {
        return "https://" + authority() + "/" + destination;
    }

    @Override
    String contentType() {
        return "application/atom+xml";
    }

    @Override
    List<String> otherHeaders() {
        return List.of(
                "x-ms-client-request-id: 6f1f2c4e-0b9a-4d0f-8a55-0e6d9a3f3c11",
                "x-ms-return-client-request-id: true",
                "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
                "User-Agent: azsdk-net-ServiceBus/7.20.1 (.NET 8.0.11; Ubuntu 24.04.1 LTS)");
    }

    @Override
    String typePrefix() {
        return "p4";
    }

    @Override
    String entry(String kind, String children) {
        String root = children.isEmpty()
                ? "<" + kind + " xmlns=\"" + Xml.CONNECT + "\" />"
                : "<" + kind + " xmlns=\"" + Xml.CONNECT + "\">\r\n      "
                        + children.replace("><", ">\r\n      <").replace(">\r\n      </", "></") + "\r\n    </" + kind
                        + ">";
        return "<entry xmlns=\"" + Xml.ATOM + "\">\r\n  <content type=\"application/xml\">\r\n    " + root
                + "\r\n  </content>\r\n</entry>";
    }
}
