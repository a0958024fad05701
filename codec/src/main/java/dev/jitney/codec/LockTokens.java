package dev.jitney.codec;

import java.util.UUID;

/**
 * Conversion of lock tokens to delivery tags: the 16 bytes of .NET's {@code Guid.ToByteArray()} (wire reference 4.6).
 *
 * <table>
 * <caption>layout</caption>
 * <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>first group, least significant byte first</td></tr>
 * <tr><td>4</td><td>2</td><td>second group, likewise</td></tr>
 * <tr><td>6</td><td>2</td><td>third group, likewise</td></tr>
 * <tr><td>8</td><td>8</td><td>fourth and fifth group, in order</td></tr>
 * </table>
 */
public final class LockTokens {
    /** The size of a delivery tag that represents a lock token, in bytes. */
    public static final int TAG_SIZE = 16;

    private LockTokens() {}

    /** Returns the delivery tag of a lock token in a new array. */
    public static byte[] toDeliveryTag(UUID token) {
        byte[] tag = new byte[TAG_SIZE];
        Bytes.putLong(tag, 0, swapGroups(token.getMostSignificantBits()));
        Bytes.putLong(tag, 8, token.getLeastSignificantBits());
        return tag;
    }

    /**
     * Returns the lock token of a delivery tag.
     *
     * @throws IllegalArgumentException if the tag does not have 16 bytes
     */
    public static UUID fromDeliveryTag(byte[] tag) {
        if (tag.length != TAG_SIZE) {
            throw new IllegalArgumentException("Expected a tag of 16 bytes, but got " + tag.length + ".");
        }
        return new UUID(swapGroups(Bytes.getLong(tag, 0)), Bytes.getLong(tag, 8));
    }

    private static long swapGroups(long high) {
        long first = Integer.reverseBytes((int) (high >>> 32)) & 0xffff_ffffL;
        long second = Short.reverseBytes((short) (high >>> 16)) & 0xffffL;
        long third = Short.reverseBytes((short) high) & 0xffffL;
        return first << 32 | second << 16 | third;
    }
}
