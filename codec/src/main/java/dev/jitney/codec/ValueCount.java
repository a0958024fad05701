package dev.jitney.codec;

/** Counts the values in encoded values, including those inside lists, maps and arrays. It creates none of them. */
final class ValueCount {
    /** Elements of arrays that take no bytes. {@link TypedValueReader} creates no more of them. */
    private static final int EMPTY_ELEMENTS_MAX = 16;

    private ValueCount() {}

    /** Skips the next value, and returns the number of values in it, or more for an array. */
    static long of(AmqpReader in) throws MessageFormatException {
        return of(in, AmqpReader.MAX_DEPTH);
    }

    private static long of(AmqpReader in, int depth) throws MessageFormatException {
        int code = in.peekCode();
        switch (code) {
            case Codes.DESCRIBED -> {
                in.readCode();
                AmqpReader.checkDepth(depth);
                return 1 + of(in, depth - 1) + of(in, depth - 1);
            }
            case Codes.LIST8, Codes.LIST32, Codes.MAP8, Codes.MAP32 -> {
                in.readCode();
                AmqpReader.checkDepth(depth);
                int count = in.enterCompound(code == Codes.LIST8 || code == Codes.MAP8);
                int end = in.compoundEnd();
                long sum = 1;
                for (int i = 0; i < count; i++) {
                    sum += of(in, depth - 1);
                }
                in.checkEnd(end);
                return sum;
            }
            case Codes.ARRAY8, Codes.ARRAY32 -> {
                int from = in.position();
                in.skipValue();
                return 1 + EMPTY_ELEMENTS_MAX + (long) in.position() - from; // an element takes at least one byte
            }
            default -> {
                in.skipValue();
                return 1;
            }
        }
    }
}
