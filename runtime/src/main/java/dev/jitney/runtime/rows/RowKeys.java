package dev.jitney.runtime.rows;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys, big-endian so that byte order is number order ({@code docs/formats.md}).
 *
 * <table>
 * <caption>layouts</caption>
 * <tr><th>table</th><th>key</th></tr>
 * <tr><td>ENTITIES</td><td>entity 4</td></tr>
 * <tr><td>FRAGMENTS</td><td>entity 4, fragment 2</td></tr>
 * <tr><td>MESSAGES, MESSAGE_STATES</td><td>entity 4, fragment 2, lane 1, sequence number 8</td></tr>
 * <tr><td>TIMERS</td><td>entity 4, fragment 2, due time 8 with its sign bit flipped, sequence number 8</td></tr>
 * <tr><td>EXPIRY_BLOCKS</td><td>entity 4, fragment 2, block 8</td></tr>
 * <tr><td>BODIES, BODY_RELEASES</td><td>entity 4, fragment 2, number in the topic 8</td></tr>
 * <tr><td>SESSIONS, SESSION_STATES</td><td>entity 4, fragment 2, session id as UTF-8</td></tr>
 * <tr><td>SESSION_HEADS</td><td>entity 4, fragment 2, sequence number 8, session id as UTF-8</td></tr>
 * <tr><td>SESSION_MESSAGES</td><td>entity 4, fragment 2, length 2 and session id as UTF-8, sequence number 8</td></tr>
 * <tr><td>DUPLICATE_IDS</td><td>entity 4, fragment 2, start of the generation 8 with its sign bit flipped, type of the id
 * 1, id as UTF-8</td></tr>
 * <tr><td>REMAINS</td><td>entity 4</td></tr>
 * <tr><td>TRANSFERS</td><td>entity 4, fragment 2, destination entity 4, transfer number 8</td></tr>
 * <tr><td>TRANSFER_MARKS</td><td>destination's entity 4, fragment 2, source's entity 4, fragment 2</td></tr>
 * <tr><td>UPTIME</td><td>a name in ASCII</td></tr>
 * <tr><td>RULES</td><td>entity 4, name of the rule in comparison form as UTF-8</td></tr>
 * </table>
 */
final class RowKeys {
    static final long ENTITY_MAX = 0xffff_fffeL;
    static final int FRAGMENT_MAX = 0xffff;

    private RowKeys() {}

    static byte[] entity(long entityId) {
        return ByteBuffer.allocate(4).putInt(checked(entityId)).array();
    }

    static long entityOf(byte[] key) throws StoreException {
        return whole(key, 4).getInt() & 0xffff_ffffL;
    }

    static byte[] fragment(FragmentId id) {
        return start(id, 6).array();
    }

    static byte[] message(FragmentId id, Lane lane, long sequenceNumber) {
        return start(id, 15).put((byte) lane.id()).putLong(sequenceNumber).array();
    }

    /** Returns the key after all messages of the lane. */
    static byte[] messagesEnd(FragmentId id, Lane lane) {
        return start(id, 7).put((byte) (lane.id() + 1)).array();
    }

    static int fragmentOf(byte[] messageKey) throws StoreException {
        return whole(messageKey, 15).getShort(4) & 0xffff;
    }

    static long sequenceNumberOf(byte[] messageKey) throws StoreException {
        return whole(messageKey, 15).getLong(7);
    }

    static byte[] timer(FragmentId id, long dueMs, long sequenceNumber) {
        return start(id, 22)
                .putLong(dueMs ^ Long.MIN_VALUE)
                .putLong(sequenceNumber)
                .array();
    }

    static long dueOf(byte[] timerKey) throws StoreException {
        return whole(timerKey, 22).getLong(6) ^ Long.MIN_VALUE;
    }

    static long timerNumberOf(byte[] timerKey) throws StoreException {
        return whole(timerKey, 22).getLong(14);
    }

    static byte[] block(FragmentId id, long block) {
        return start(id, 14).putLong(block).array();
    }

    static long blockOf(byte[] blockKey) throws StoreException {
        return whole(blockKey, 14).getLong(6);
    }

    /** Returns the key after all rows of the fragment, in tables whose keys begin with it. */
    static byte[] fragmentEnd(FragmentId id) {
        ByteBuffer out = ByteBuffer.allocate(6);
        long next = (((long) checked(id.entityId()) & 0xffff_ffffL) << 16 | id.fragment()) + 1;
        return out.putInt((int) (next >>> 16)).putShort((short) next).array();
    }

    static byte[] body(FragmentId topic, long number) {
        return start(topic, 14).putLong(number).array();
    }

    static byte[] transfer(FragmentId source, long destinationId, long number) {
        return start(source, 18).putInt(checked(destinationId)).putLong(number).array();
    }

    /** Returns the source of a transfer. */
    static FragmentId sourceOf(byte[] transferKey) throws StoreException {
        ByteBuffer in = whole(transferKey, 18);
        return new FragmentId(in.getInt() & 0xffff_ffffL, in.getShort() & 0xffff);
    }

    static long destinationOf(byte[] transferKey) throws StoreException {
        return whole(transferKey, 18).getInt(6) & 0xffff_ffffL;
    }

    static long transferNumberOf(byte[] transferKey) throws StoreException {
        return whole(transferKey, 18).getLong(10);
    }

    static byte[] transferMark(FragmentId destination, FragmentId source) {
        return start(destination, 12)
                .putInt(checked(source.entityId()))
                .putShort((short) source.fragment())
                .array();
    }

    /** Returns the first key of a generation of ids, which is also the end of the generation before. */
    static byte[] generation(FragmentId fragment, long generationMs) {
        return start(fragment, 14).putLong(generationMs ^ Long.MIN_VALUE).array();
    }

    /**
     * Returns the generation of an id. The largest value is refused, because it has no successor at which a scan could
     * continue.
     */
    static long generationOf(byte[] acceptedIdKey) throws StoreException {
        long generationMs = atLeast(acceptedIdKey, 16).getLong(6) ^ Long.MIN_VALUE;
        if (generationMs == Long.MAX_VALUE) {
            throw broken("the start of a generation of ids, but got " + generationMs);
        }
        return generationMs;
    }

    /** @param nameKey the rule's name in its form for comparison */
    static byte[] rule(long subscriptionId, String nameKey) {
        byte[] name = nameKey.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(4 + name.length)
                .putInt(checked(subscriptionId))
                .put(name)
                .array();
    }

    static byte[] session(FragmentId id, String sessionId) {
        byte[] text = sessionId.getBytes(StandardCharsets.UTF_8);
        return start(id, 6 + text.length).put(text).array();
    }

    static String sessionOf(byte[] sessionKey) throws StoreException {
        return text(atLeast(sessionKey, 6), 6);
    }

    static byte[] sessionHead(FragmentId id, SessionHeadRow head) {
        byte[] text = head.sessionId().getBytes(StandardCharsets.UTF_8);
        return start(id, 14 + text.length)
                .putLong(Math.max(0, head.place()))
                .put(text)
                .array();
    }

    static SessionHeadRow sessionHeadOf(byte[] key) throws StoreException {
        ByteBuffer in = atLeast(key, 14);
        long head = in.getLong(6);
        if (head < 0) {
            throw broken("a sequence number, but got " + head);
        }
        return new SessionHeadRow(head, text(in, 14));
    }

    static byte[] sessionMessage(FragmentId id, String sessionId, long number) {
        byte[] text = sessionId.getBytes(StandardCharsets.UTF_8);
        return start(id, 16 + text.length)
                .putShort((short) text.length)
                .put(text)
                .putLong(number)
                .array();
    }

    static long sessionMessageNumberOf(byte[] key) throws StoreException {
        int textSize = atLeast(key, 16).getShort(6) & 0xffff;
        return whole(key, 16 + textSize).getLong(8 + textSize);
    }

    private static ByteBuffer whole(byte[] key, int size) throws StoreException {
        if (key.length != size) {
            throw broken(size + " bytes, but got " + key.length);
        }
        return ByteBuffer.wrap(key);
    }

    private static ByteBuffer atLeast(byte[] key, int size) throws StoreException {
        if (key.length < size) {
            throw broken("at least " + size + " bytes, but got " + key.length);
        }
        return ByteBuffer.wrap(key);
    }

    /** Decodes the text at the end of a key, which must be valid UTF-8. */
    static String text(ByteBuffer key, int from) throws StoreException {
        byte[] octets = Arrays.copyOfRange(key.array(), from, key.limit());
        String text = new String(octets, StandardCharsets.UTF_8);
        if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), octets)) {
            throw broken("UTF-8, but got other bytes");
        }
        return text;
    }

    private static StoreException broken(String expected) {
        return new StoreException(StoreException.Reason.CORRUPT, "A key is corrupt: expected " + expected + ".");
    }

    private static ByteBuffer start(FragmentId id, int size) {
        return ByteBuffer.allocate(size).putInt(checked(id.entityId())).putShort((short) id.fragment());
    }

    private static int checked(long entityId) {
        if (entityId < 0 || entityId > ENTITY_MAX) {
            throw new IllegalArgumentException(
                    "Expected an entity id from 0 to " + ENTITY_MAX + ", but got " + entityId + ".");
        }
        return (int) entityId;
    }
}
