package dev.jitney.crash.greedy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;

/** Content that is large, or becomes large when it is decoded. All connections share it. */
final class Bulk {
    private static final int LARGEST_BYTES = 20 << 20;
    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(LARGEST_BYTES).asReadOnlyBuffer();

    private Bulk() {}

    /** Returns zeros. */
    static ByteBuffer zeros(int size) {
        return ZEROS.duplicate().position(0).limit(size).slice();
    }

    /** Returns the beginning of a data section that is larger than the returned bytes. */
    static ByteBuffer unfinishedMessage(int size) {
        byte[] bytes = new byte[size];
        ByteBuffer.wrap(bytes).put(new byte[] {0x00, 0x53, 0x75, (byte) 0xb0}).putInt(size);
        return ByteBuffer.wrap(bytes);
    }

    /** Returns a map with one list of empty lists, each of which takes one byte when encoded. */
    static Map<Symbol, Object> emptyLists(int count) {
        List<Object> lists = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lists.add(List.of());
        }
        return Map.of(Symbol.valueOf("lists"), lists);
    }

    /** Returns a map with many short keys and values. */
    static Map<Symbol, Object> entries(int count) {
        Map<Symbol, Object> map = new HashMap<>();
        for (int i = 0; i < count; i++) {
            map.put(Symbol.valueOf(Integer.toString(i, 36)), i);
        }
        return map;
    }

    /** Returns application properties with many short keys and values. */
    static Map<String, Object> texts(int count) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < count; i++) {
            map.put(Integer.toString(i, 36), i);
        }
        return map;
    }
}
