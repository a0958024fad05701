package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The bytes of an entry")
class EntryBytesTest {
    private final byte[] array = "the bytes of an entry".getBytes(StandardCharsets.US_ASCII);

    @Test
    @DisplayName("are not copied if a byte string is a whole array")
    void whole() {
        assertThat(EntryBytes.of(UnsafeByteOperations.unsafeWrap(array))).isSameAs(array);
    }

    @Test
    @DisplayName("are copied from a part of an array, from a buffer that may be used again, and from several pieces")
    void copied() {
        ByteBuffer direct = ByteBuffer.allocateDirect(array.length);
        direct.put(array).flip();
        byte[] copy = EntryBytes.of(UnsafeByteOperations.unsafeWrap(direct));
        direct.put(0, (byte) 'X');
        assertThat(copy).isEqualTo(array);
        assertThat(EntryBytes.of(UnsafeByteOperations.unsafeWrap(array, 4, 5)))
                .isEqualTo(Arrays.copyOfRange(array, 4, 9));
        assertThat(EntryBytes.of(UnsafeByteOperations.unsafeWrap(array, 0, 5))).isEqualTo(Arrays.copyOf(array, 5));
        byte[] large = new byte[1000];
        Arrays.fill(large, (byte) 7);
        ByteString pieces = UnsafeByteOperations.unsafeWrap(large).concat(UnsafeByteOperations.unsafeWrap(array));
        assertThat(EntryBytes.of(pieces)).hasSize(1000 + array.length).endsWith(array);
        assertThat(EntryBytes.of(ByteString.EMPTY)).isEmpty();
    }
}
