package dev.jitney.core;

/**
 * The key that duplicate detection compares: a message id, case-sensitive (DUP-6). Ids of different AMQP types are
 * different, even if their texts are equal.
 *
 * @param text the id; for types other than string, the text form that receivers see (wire reference 4.3); not empty
 */
public record DuplicateKey(Type type, String text) {

    /** The types of message ids (AMQP 1.0 part 3, 3.2.4) with their permanent numbers on disk. */
    public enum Type {
        STRING(0),
        /** In decimal. */
        ULONG(1),
        UUID(2),
        /** In hexadecimal, lower case. */
        BINARY(3);

        private final int id;

        Type(int id) {
            this.id = id;
        }

        public int id() {
            return id;
        }

        /**
         * Returns the type with that number.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Type of(int id) {
            for (Type type : values()) {
                if (type.id == id) {
                    return type;
                }
            }
            throw new IllegalArgumentException("Expected a type of message id from 0 to 3, but got " + id + ".");
        }
    }

    /** Returns the key of a string id, which all client libraries use. */
    public static DuplicateKey ofString(String text) {
        return new DuplicateKey(Type.STRING, text);
    }
}
