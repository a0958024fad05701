package dev.jitney.core;

/**
 * What duplicate detection compares: a message id, case-sensitive (DUP-6). Ids of different AMQP types are different ids,
 * also where they read the same.
 *
 * @param text the id, one of another type than string in the text form that receivers see it in (wire reference 4.3);
 *     not empty
 */
public record DuplicateKey(Type type, String text) {

    /** Types of message ids (AMQP 1.0 part 3, 3.2.4) with their numbers on disk, which stay for ever. */
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

        /** @throws IllegalArgumentException if there is none with that number */
        public static Type of(int id) {
            for (Type type : values()) {
                if (type.id == id) {
                    return type;
                }
            }
            throw new IllegalArgumentException("Expected a type of message ids from 0 to 3, but got " + id + ".");
        }
    }

    /** An id that is a string, as those of the client libraries are. */
    public static DuplicateKey ofString(String text) {
        return new DuplicateKey(Type.STRING, text);
    }
}
