package dev.jitney.model.rule;

import java.util.Objects;

/**
 * A typed value of a filter or action. It keeps the type and text as the client wrote them, so that the client reads the
 * same back (HTTP reference 2.7).
 *
 * @param type the type of the value
 * @param text the lexical form of XML Schema for the type; checked together with the rule
 */
public record RuleValue(Type type, String text) {

    /** Types with their XML Schema name. A code never changes and is never reused. */
    public enum Type {
        STRING(1, "string"),
        BOOLEAN(2, "boolean"),
        BYTE(3, "byte"),
        SHORT(4, "short"),
        INT(5, "int"),
        LONG(6, "long"),
        UNSIGNED_BYTE(7, "unsignedByte"),
        UNSIGNED_SHORT(8, "unsignedShort"),
        UNSIGNED_INT(9, "unsignedInt"),
        UNSIGNED_LONG(10, "unsignedLong"),
        FLOAT(11, "float"),
        DOUBLE(12, "double"),
        DECIMAL(13, "decimal"),
        DATE_TIME(14, "dateTime"),
        DURATION(15, "duration"),
        GUID(16, "guid"),
        CHAR(17, "char"),
        ANY_URI(18, "anyURI"),
        BASE64_BINARY(19, "base64Binary");

        private final int code;
        private final String xsdName;

        Type(int code, String xsdName) {
            this.code = code;
            this.xsdName = xsdName;
        }

        /** Returns the permanent number of the type on disk. */
        public int code() {
            return code;
        }

        /** Returns the local name of the type; {@code guid} and {@code char} are types of the serialization namespace. */
        public String xsdName() {
            return xsdName;
        }
    }

    public RuleValue {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(text, "text");
    }

    /** Returns a value of type string. */
    public static RuleValue ofString(String text) {
        return new RuleValue(Type.STRING, text);
    }
}
