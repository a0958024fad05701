package dev.jitney.conformance.recorded;

import java.util.List;
import java.util.Locale;

/**
 * The requests of {@code azservicebus/admin} for Go: escaped query keys, and a signature over the whole address in
 * lower case.
 */
final class GoRequests extends Recorded {

    GoRequests(String authority, long expirySeconds) {
        super("Go", authority, expirySeconds);
    }

    @Override
    String getQuery(boolean runtime) {
        return "?api-version=2021-05";
    }

    @Override
    String listQuery(int skip) {
        return "?%24skip=" + skip + "&%24top=100&api-version=2021-05";
    }

    @Override
    String writeQuery() {
        return "?api-version=2021-05";
    }

    @Override
    String authorization(String pathAndQuery) {
        return token(("https://" + authority() + pathAndQuery).toLowerCase(Locale.ROOT));
    }

    @Override
    String supplementary(String destination) {
        return token("sb://" + authority() + "/" + destination);
    }

    private String token(String audience) {
        String resource = Signature.lower(audience);
        return signed(resource, RULE);
    }

    @Override
    String forwardTo(String destination) {
        return "sb://" + authority() + "/" + destination;
    }

    @Override
    String contentType() {
        return "application/atom+xml;type=entry;charset=utf-8";
    }

    @Override
    List<String> otherHeaders() {
        return List.of("User-Agent: azsdk-go-azservicebus/v1.7.1 (go1.22.4; linux)", "Accept-Encoding: gzip");
    }

    @Override
    String typePrefix() {
        return "i";
    }

    @Override
    String entry(String kind, String children) {
        return "<entry xmlns=\"" + Xml.ATOM + "\"><content type=\"application/xml\"><" + kind + " xmlns=\""
                + Xml.CONNECT + "\">" + children + "</" + kind + "></content></entry>";
    }
}
