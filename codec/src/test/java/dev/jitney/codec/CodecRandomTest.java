package dev.jitney.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A test of decoder and encoder with random messages and damaged messages. Failures print the seed.
 */
class CodecRandomTest {
    private static final int BATCH = 0x8001_3700;

    private final long seed = Long.getLong("jitney.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final RandomMessages messages = new RandomMessages(random);
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(() -> "fresh");
    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();

    @Test
    @DisplayName("40: a receiver gets every byte that belongs to the sender")
    void roundTrips() throws Exception {
        for (int round = 0; round < 5_000; round++) {
            String hint = "seed " + seed + ", round " + round;
            long expiresAtMs = random.nextBoolean() ? MessageView.NEVER : Views.ENQUEUED_MS + random.nextInt(100_000);
            ProtonBuffer sent = Wire.encode(messages.next().toArray(new Section<?>[0]));
            IncomingMessage message = decoder.decode(Wire.reader(sent), 0).get(0);
            assertThat(MessageContent.wrap(message.content().bytes())).as(hint).isEqualTo(message.content());

            ProtonBuffer received = Wire.buffer(encoder.encode(Views.delivered(message)));
            checkTimes(hint, message, received);
            // content read from a store has no note on its properties, and gives the same bytes
            MessageContent stored = MessageContent.wrap(message.content().bytes());
            assertThat(Wire.buffer(encoder.encode(Views.view(stored, expiresAtMs, Map.of()))))
                    .as(hint)
                    .isEqualTo(Wire.buffer(encoder.encode(Views.view(message.content(), expiresAtMs, Map.of()))));
            // a received message can be sent again with the same content, except for its times
            IncomingMessage again = decoder.decode(Wire.reader(received), 0).get(0);
            // a message sent without an id has an id after delivery
            assertThat(again.messageId())
                    .as(hint)
                    .isEqualTo(message.messageId() == null ? "fresh" : message.messageId());
            assertThat(again.sessionId()).as(hint).isEqualTo(message.sessionId());
            assertThat(again.partitionKey()).as(hint).isEqualTo(message.partitionKey());
            assertThat(again.timeToLiveMs()).as(hint).isEqualTo(message.timeToLiveMs());
            assertThat(again.scheduledEnqueueTimeMs()).as(hint).isEqualTo(message.scheduledEnqueueTimeMs());
            assertThat(again.content().annotations())
                    .as(hint)
                    .isEqualTo(message.content().annotations());
            assertThat(again.content().applicationProperties())
                    .as(hint)
                    .isEqualTo(message.content().applicationProperties());
            assertThat(again.content().body())
                    .as(hint)
                    .isEqualTo(message.content().body());
            assertThat(fields(again)).as(hint).isEqualTo(fields(message));
            if (message.timeToLiveMs() == MessageView.NEVER) { // nothing is added to complete properties
                assertThat(Wire.buffer(encoder.encode(Views.delivered(again))))
                        .as(hint)
                        .isEqualTo(received);
            }
            Wire.decode(received); // protonj2 accepts it
        }
    }

    /** Returns the properties of a message by name, without its times; as texts, because some are arrays. */
    private static Map<PropertyField, String> fields(IncomingMessage message) {
        Map<PropertyField, String> texts = new EnumMap<>(PropertyField.class);
        new ContentReader(message.content())
                .properties()
                .forEach((field, value) ->
                        texts.put(field, value instanceof byte[] bytes ? Arrays.toString(bytes) : value.toString()));
        texts.remove(PropertyField.ABSOLUTE_EXPIRY_TIME);
        texts.remove(PropertyField.CREATION_TIME);
        return texts;
    }

    private void checkTimes(String hint, IncomingMessage message, ProtonBuffer received) {
        Header header = Wire.section(received, Header.class);
        if (message.timeToLiveMs() == MessageView.NEVER) {
            assertThat(header.getTimeToLive()).as(hint).isEqualTo(0xffff_ffffL);
            assertThat(Wire.section(received, Properties.class).getAbsoluteExpiryTime())
                    .as(hint)
                    .isEqualTo(253_402_300_799_999L);
            return;
        }
        assertThat(header.getTimeToLive()).as(hint).isEqualTo(message.timeToLiveMs());
        Properties properties = Wire.section(received, Properties.class);
        assertThat(properties.getAbsoluteExpiryTime() - properties.getCreationTime())
                .as(hint)
                .isEqualTo(message.timeToLiveMs());
    }

    @Test
    @DisplayName("5.4: overrides replace properties, and other properties stay byte for byte")
    void mergesAtRandom() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            String hint = "seed " + seed + ", round " + round;
            ProtonBuffer sent = Wire.encode(messages.next().toArray(new Section<?>[0]));
            MessageContent content = decoder.decode(Wire.reader(sent), 0).get(0).content();
            Map<String, EncodedValue> before = properties(content.applicationProperties());
            Map<String, EncodedValue> overrides = new LinkedHashMap<>();
            for (String name : before.keySet()) {
                if (random.nextInt(3) == 0) {
                    overrides.put(name, new EncodedValue(Wire.encodeValue(messages.property())));
                }
            }
            overrides.put("DeadLetterReason", EncodedValue.ofString("r"));
            ProtonBuffer received = Wire.buffer(encoder.encode(Views.view(content, MessageView.NEVER, overrides)));
            Map<String, EncodedValue> expected = new LinkedHashMap<>(before);
            expected.putAll(overrides);
            Map<String, EncodedValue> after = properties(
                    decoder.decode(Wire.reader(received), 0).get(0).content().applicationProperties());
            assertThat(after).as(hint).isEqualTo(expected);
            assertThat(new ArrayList<>(after.keySet())).as(hint).isEqualTo(new ArrayList<>(expected.keySet()));
        }
    }

    private static Map<String, EncodedValue> properties(ByteBuffer section) throws MessageFormatException {
        if (!section.hasRemaining()) {
            return Map.of();
        }
        int from = section.arrayOffset() + Sections.PREFIX_SIZE;
        return PropertyValues.readMap(
                Arrays.copyOfRange(section.array(), from, section.arrayOffset() + section.limit()));
    }

    @Test
    @DisplayName("bad input: damaged messages and batches are quickly decoded or refused, without other effects")
    void survivesDamage() {
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            int refused = 0;
            for (int round = 0; round < 60_000; round++) {
                int format = random.nextInt(4) == 0 ? BATCH : 0;
                byte[] bytes = damaged(format);
                try {
                    for (IncomingMessage message : decoder.decode(Wire.reader(bytes), format)) {
                        encoder.encode(Views.delivered(message)); // an accepted message can be delivered
                    }
                } catch (MessageFormatException expected) {
                    refused++;
                } catch (Throwable bug) {
                    fail("seed " + seed + ", round " + round + ", " + Arrays.toString(bytes), bug);
                }
            }
            assertThat(refused).as("seed " + seed).isGreaterThan(10_000);
        });
    }

    private byte[] damaged(int format) {
        if (random.nextInt(10) == 0) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            return noise;
        }
        byte[] bytes = Wire.bytes(Wire.encode(messages.next().toArray(new Section<?>[0])));
        if (format == BATCH) {
            bytes = Wire.bytes(Wire.encode(new Data(bytes), new Data(bytes)));
        }
        switch (random.nextInt(4)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> bytes = inserted(bytes);
            case 2 -> {
                int at = random.nextInt(bytes.length);
                Arrays.fill(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(5)), (byte) 0xff);
            }
            default -> {
                for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                    // mostly near the front, which has the structure
                    int range = random.nextBoolean() ? Math.min(bytes.length, 80) : bytes.length;
                    bytes[random.nextInt(range)] = (byte) random.nextInt();
                }
            }
        }
        return bytes;
    }

    private byte[] inserted(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        byte[] more = new byte[1 + random.nextInt(8)];
        random.nextBytes(more);
        return Wire.concat(Arrays.copyOf(bytes, at), more, Arrays.copyOfRange(bytes, at, bytes.length));
    }

    @Test
    @DisplayName("bad input: false sizes cause no allocation")
    void believesNoClaims() {
        List<byte[]> claims = List.of(
                Wire.hex("00 53 77 d0 7fffffff 7fffffff"),
                Wire.hex("00 53 77 d1 7fffffff 7ffffffe"),
                Wire.hex("00 53 77 f0 7fffffff 7fffffff 81"),
                Wire.hex("00 53 77 f0 00000005 7fffffff 41"),
                Wire.hex("00 53 77 f0 00000005 80000000 41"),
                Wire.hex("00 53 77 b1 7fffffff"),
                Wire.hex("00 53 74 d1 7fffffff 7ffffffe"),
                Wire.hex("00 53 73 d0 7fffffff 0000000d a1 ff"),
                Wire.hex("00 53 75 b0 7fffffff"));
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (int i = 0; i < 20_000; i++) {
                byte[] claim = claims.get(i % claims.size());
                Assertions.assertThrows(MessageFormatException.class, () -> decoder.decode(Wire.reader(claim), 0));
                Assertions.assertThrows(
                        MessageFormatException.class,
                        () -> ValueReader.read(new AmqpReader(claim, Sections.PREFIX_SIZE, claim.length)));
            }
        });
    }
}
