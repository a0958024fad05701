package dev.jitney.gateway.http.atom;

/** The namespaces of the administration API (HTTP reference, table of namespaces). */
final class XmlNames {
    /** Entries and feeds. */
    static final String ATOM = "http://www.w3.org/2005/Atom";

    /** Descriptions and their elements. */
    static final String CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    /** The five children of {@code CountDetails}. */
    static final String COUNTS = "http://schemas.microsoft.com/netservices/2011/06/servicebus";

    /** The attribute {@code type}. */
    static final String INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

    /** Types of values. */
    static final String SCHEMA = "http://www.w3.org/2001/XMLSchema";

    /** Types of values that XML Schema does not have. */
    static final String SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/";

    private XmlNames() {}
}
