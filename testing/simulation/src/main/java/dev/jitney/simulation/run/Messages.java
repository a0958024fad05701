package dev.jitney.simulation.run;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.model.row.VisibleProperties;
import dev.jitney.simulation.model.state.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes messages, each with a number of its own as its last eight bytes. */
final class Messages {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int SESSIONS = 4;

    /** The application properties of messages with a tag, which all of them share. */
    private static final ByteBuffer[] APPLICATION_PROPERTIES = IntStream.range(0, Filters.TAGS)
            .mapToObj(Messages::applicationProperties)
            .toArray(ByteBuffer[]::new);

    private long lastUid;

    /** A message, and what the model has to know of it. */
    record Made(IncomingMessage message, Request.Sent sent) {}

    Made make(SeededRandom random, long scheduledMs) {
        return make(random, scheduledMs, null);
    }

    /** @param key which key it has on a partitioned entity; null for one that goes to an ordinary one */
    Made make(SeededRandom random, long scheduledMs, @Nullable Key key) {
        long uid = ++lastUid;
        String id = "id-" + (random.perMille(150) ? Math.max(1, uid - random.below(6)) : uid);
        String ordinary = random.perMille(900) ? session(random) : null;
        String session = key == null ? ordinary : key.session;
        String partition = key == null ? null : key.partition;
        int tag = random.below(Filters.TAGS);
        ByteBuffer body = ByteBuffer.allocate(8 + random.below(random.perMille(50) ? 2_000 : 60));
        body.putLong(body.capacity() - 8, uid);
        MessageContent content = MessageContent.of(
                true,
                4,
                false,
                partition == null ? NOTHING : annotations(partition),
                properties(id, Filters.label(tag), session),
                APPLICATION_PROPERTIES[tag].duplicate(),
                body);
        long timeToLiveMs = random.perMille(250) ? random.between(1, 90_000) : MessageView.NEVER;
        IncomingMessage message = IncomingMessage.of(content)
                .messageId(id)
                .partitionKey(partition)
                .timeToLiveMs(timeToLiveMs)
                .sizes(
                        content.sizeBytes(),
                        content.properties().remaining()
                                + content.applicationProperties().remaining(),
                        8)
                .sent(session, scheduledMs)
                .build();
        return new Made(
                message,
                new Request.Sent(uid, session, partition, id, scheduledMs, tag, visible(id, session, partition, tag)));
    }

    /** What chooses the fragment of a partitioned entity: at most one of them, or both the same (PART-32). */
    record Key(@Nullable String session, @Nullable String partition) {
        private static final int KEYS = 12;

        /** A key, or none. */
        static Key make(SeededRandom random, boolean ofSessions) {
            String session = Messages.session(random);
            if (ofSessions) {
                return random.perMille(30)
                        ? new Key(null, null)
                        : new Key(session, random.perMille(200) ? session : random.perMille(20) ? "other" : null);
            }
            return switch (random.below(10)) {
                case 0, 1, 2, 3 -> new Key(null, "key-" + random.below(KEYS));
                case 4 -> new Key(session, random.perMille(300) ? session : null);
                default -> new Key(null, null);
            };
        }
    }

    /** What can be seen of a message, in the words of the model. */
    private static VisibleProperties visible(String id, @Nullable String session, @Nullable String partition, int tag) {
        VisibleProperties visible = VisibleProperties.of(Map.of(
                "sys.messageid", "string " + id, "sys.label", "string " + Filters.label(tag), "n", "int " + tag));
        visible = partition == null ? visible : visible.with("sys.partitionkey", "string " + partition);
        return session == null ? visible : visible.with("sys.sessionid", "string " + session);
    }

    static String session(SeededRandom random) {
        return "session-" + random.below(SESSIONS);
    }

    /** The properties section: message-id, subject and group-id (AMQP 1.0 part 3, 3.2.4). */
    private static ByteBuffer properties(String id, String subject, @Nullable String group) {
        ByteBuffer list = ByteBuffer.allocate(128);
        text(list, id);
        list.put((byte) 0x40).put((byte) 0x40);
        text(list, subject);
        for (int i = 0; i < 6; i++) {
            list.put((byte) 0x40);
        }
        if (group == null) {
            list.put((byte) 0x40);
        } else {
            text(list, group);
        }
        return section(0x73, 0xc0, list, 11);
    }

    /** The annotation that is a key: a symbol and a string. */
    private static ByteBuffer annotations(String partitionKey) {
        ByteBuffer pair = ByteBuffer.allocate(128);
        byte[] name = "x-opt-partition-key".getBytes(StandardCharsets.US_ASCII);
        pair.put((byte) 0xa3).put((byte) name.length).put(name);
        text(pair, partitionKey);
        return pair.flip();
    }

    /** The application properties: n. */
    private static ByteBuffer applicationProperties(int n) {
        ByteBuffer map = ByteBuffer.allocate(16);
        text(map, "n");
        map.put((byte) 0x54).put((byte) n);
        return section(0x74, 0xc1, map, 2);
    }

    private static ByteBuffer section(int descriptor, int type, ByteBuffer items, int count) {
        items.flip();
        ByteBuffer section = ByteBuffer.allocate(6 + items.remaining());
        section.put((byte) 0).put((byte) 0x53).put((byte) descriptor).put((byte) type);
        section.put((byte) (items.remaining() + 1)).put((byte) count).put(items);
        return section.flip();
    }

    private static void text(ByteBuffer out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.put((byte) 0xa1).put((byte) utf8.length).put(utf8);
    }

    /** Properties a settlement sets. */
    static Map<String, EncodedValue> changes(SeededRandom random) {
        return random.perMille(700) ? Map.of() : Map.of("tried", EncodedValue.ofString("x".repeat(random.below(20))));
    }
}
