package dev.jitney.codec;

/**
 * The texts inside an encoded value: strings, symbols and binaries, at any depth. They are found without decoding or
 * copying anything.
 */
public final class EncodedTexts {
    private final AmqpReader in;
    private final Visitor visitor;

    private EncodedTexts(AmqpReader in, Visitor visitor) {
        this.in = in;
        this.visitor = visitor;
    }

    /** A receiver of the values inside a value. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Receives a text as a range of an array. The range is empty for every value of another type, so that the visitor
         * can limit the work.
         *
         * @return false to end the visit
         */
        boolean visit(byte[] bytes, int from, int to);
    }

    /**
     * Passes the texts of the next value to a visitor, in their order.
     *
     * @return false if the visitor has ended the visit
     */
    public static boolean visit(AmqpReader in, Visitor visitor) throws MessageFormatException {
        return new EncodedTexts(in, visitor).value(AmqpReader.MAX_DEPTH);
    }

    private boolean value(int depth) throws MessageFormatException {
        int code = in.readCode();
        if (code == Codes.DESCRIBED) {
            AmqpReader.checkDepth(depth);
            boolean visited = value(depth - 1); // the descriptor
            return visited && value(depth - 1);
        }
        return value(code, depth);
    }

    private boolean value(int code, int depth) throws MessageFormatException {
        int shape = Codes.shape(code);
        switch (shape) {
            case Codes.VARIABLE8, Codes.VARIABLE32 -> {
                in.enterOctets(code);
                return visitor.visit(in.bytes(), in.valueFrom(), in.position());
            }
            case Codes.COMPOUND8, Codes.COMPOUND32 -> {
                AmqpReader.checkDepth(depth);
                int count = in.enterCompound(shape == Codes.COMPOUND8);
                boolean visited = other();
                for (int i = 0; i < count && visited; i++) {
                    visited = value(depth - 1);
                }
                return visited;
            }
            case Codes.ARRAY_8, Codes.ARRAY_32 -> {
                AmqpReader.checkDepth(depth);
                return other() && elements(shape == Codes.ARRAY_8, depth - 1);
            }
            default -> {
                in.enterOctets(code);
                return other();
            }
        }
    }

    private boolean elements(boolean small, int depth) throws MessageFormatException {
        int count = in.enterArray(small);
        int end = in.compoundEnd();
        if (in.position() == end) {
            return true; // some encoders omit the constructor of an empty array
        }
        int code = in.readCode();
        if (code == Codes.DESCRIBED) {
            in.skipValue();
            code = in.readCode();
        }
        if (Codes.shape(code) >= 0) {
            in.advance(Math.max(0, end - in.position()));
            return true;
        }
        boolean visited = true;
        for (int i = 0; i < count && visited; i++) {
            visited = value(code, depth);
        }
        return visited;
    }

    private boolean other() {
        return visitor.visit(in.bytes(), in.position(), in.position());
    }
}
