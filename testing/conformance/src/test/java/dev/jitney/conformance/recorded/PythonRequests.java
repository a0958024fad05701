package dev.jitney.conformance.recorded;

import java.util.List;

/**
 * The requests of {@code azure-servicebus} 7.x for Python: an XML declaration and prefixed Atom. Older versions prefix
 * the description as well.
 */
final class PythonRequests extends Recorded {
    private final boolean older;

    PythonRequests(boolean older, String authority, long expirySeconds) {
        super(older ? "Python, older" : "Python", authority, expirySeconds);
        this.older = older;
    }

    private String version() {
        return older ? "2017-04" : "2021-05";
    }

    @Override
    String getQuery(boolean runtime) {
        return "?enrich=" + runtime + "&api-version=" + version();
    }

    @Override
    String listQuery(int skip) {
        return "?$skip=" + skip + "&$top=100&api-version=" + version();
    }

    @Override
    String writeQuery() {
        return "?api-version=" + version();
    }

    @Override
    String authorization(String pathAndQuery) {
        return token("sb://" + authority());
    }

    @Override
    String supplementary(String destination) {
        return token("sb://" + authority() + "/" + destination);
    }

    private String token(String audience) {
        String resource = Signature.upper(audience);
        return signed(resource, RULE);
    }

    @Override
    String forwardTo(String destination) {
        return "sb://" + authority() + "/" + destination;
    }

    @Override
    String contentType() {
        return older ? "application/xml" : "application/atom+xml";
    }

    @Override
    String escaped(String entity) {
        return entity.replace("/", "%2F");
    }

    @Override
    List<String> otherHeaders() {
        return List.of(
                "Accept: application/xml",
                "Accept-Encoding: gzip, deflate",
                "Connection: keep-alive",
                "User-Agent: azsdk-python-servicebusmanagementclient/2021-05 Python/3.12.3 (Linux-6.8-x86_64)");
    }

    @Override
    String typePrefix() {
        return older ? "ns0" : "xsi";
    }

    @Override
    String entry(String kind, String children) {
        String declaration = "<?xml version='1.0' encoding='utf-8'?>\n";
        if (older) {
            return declaration + "<ns0:entry xmlns:ns0=\"" + Xml.ATOM + "\" xmlns:ns1=\"" + Xml.CONNECT
                    + "\"><ns0:content type=\"application/xml\"><ns1:" + kind + ">"
                    + children.replaceAll("<(/?)([A-Z])", "<$1ns1:$2") + "</ns1:" + kind
                    + "></ns0:content></ns0:entry>";
        }
        return declaration + "<ns0:entry xmlns:ns0=\"" + Xml.ATOM + "\"><ns0:content type=\"application/xml\"><" + kind
                + " xmlns=\"" + Xml.CONNECT + "\""
                + (children.isEmpty() ? " />" : ">" + children + "</" + kind + ">")
                + "</ns0:content></ns0:entry>";
    }
}
