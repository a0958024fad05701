package dev.jitney.distribution;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Linux program or library, 64-bit and little-endian, with its processor and the libraries it needs.
 *
 * @param machine the processor, {@link #MACHINE_X86_64} or {@link #MACHINE_AARCH64} or another number of the format
 * @param needed names of libraries that are loaded with it
 */
record ElfFile(int machine, List<String> needed) {
    static final int MACHINE_X86_64 = 62;
    static final int MACHINE_AARCH64 = 183;

    private static final int MAGIC = 0x464c457f;
    private static final int HEADER_SIZE = 64;
    private static final int CLASS_64_LITTLE = 0x0102;
    private static final int SECTION_DYNAMIC = 6;
    private static final int TAG_NEEDED = 1;
    private static final int NEEDED_MAX = 1_000;

    /**
     * Parses a file.
     *
     * @return null if it is neither a program nor a library
     * @throws ReleaseException if it is one, but damaged or not 64-bit
     */
    @SuppressWarnings("ByteBufferBackingArray")
    static @Nullable ElfFile read(byte[] content, String name) throws ReleaseException {
        ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (content.length < HEADER_SIZE || bytes.getInt(0) != MAGIC) {
            return null;
        }
        if (bytes.getShort(4) != CLASS_64_LITTLE) {
            throw new ReleaseException("Expected a 64-bit program or library, but " + name + " is not one.");
        }
        try {
            return new ElfFile(Short.toUnsignedInt(bytes.getShort(18)), needed(bytes));
        } catch (IndexOutOfBoundsException | BufferUnderflowException | ArithmeticException e) {
            throw new ReleaseException("Expected a complete program or library, but " + name + " is damaged.");
        }
    }

    private static List<String> needed(ByteBuffer bytes) {
        List<String> needed = new ArrayList<>();
        long sections = bytes.getLong(40);
        int size = Short.toUnsignedInt(bytes.getShort(58));
        int count = Short.toUnsignedInt(bytes.getShort(60));
        for (int i = 0; i < count; i++) {
            int section = Math.toIntExact(sections + (long) i * size);
            if (bytes.getInt(section + 4) == SECTION_DYNAMIC) {
                int dynamic = Math.toIntExact(bytes.getLong(section + 24));
                int end = Math.toIntExact(dynamic + bytes.getLong(section + 32));
                int strings = Math.toIntExact(sections + (long) bytes.getInt(section + 40) * size);
                int texts = Math.toIntExact(bytes.getLong(strings + 24));
                for (int entry = dynamic; entry + 16 <= end && needed.size() < NEEDED_MAX; entry += 16) {
                    if (bytes.getLong(entry) == TAG_NEEDED) {
                        needed.add(text(bytes, Math.toIntExact(texts + bytes.getLong(entry + 8))));
                    }
                }
            }
        }
        return List.copyOf(needed);
    }

    private static String text(ByteBuffer bytes, int start) {
        int end = start;
        while (bytes.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end - start];
        bytes.get(start, text);
        return new String(text, StandardCharsets.US_ASCII);
    }
}
