package dev.jitney.fuzz.input;

import dev.jitney.codec.RandomMessages;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Wire;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.jspecify.annotations.Nullable;

/** Frames that a client may send on the links of {@link Prelude#LINKED}, some of them with invalid fields. */
public final class AmqpRequests {
    private static final String[] OPERATIONS = {
        "peek-message", "renew-lock", "receive-by-sequence-number", "schedule-message", "cancel-scheduled-message",
        "update-disposition", "get-session-state", "set-session-state", "renew-session-lock", "get-message-sessions",
        "add-rule", "remove-rule", "enumerate-rules", "batch-delete-messages", "nonsense"
    };
    private static final String[] ARGUMENTS = {
        "from-sequence-number",
        "message-count",
        "lock-tokens",
        "lock-token",
        "sequence-numbers",
        "messages",
        "message",
        "message-id",
        "session-id",
        "session-state",
        "disposition-status",
        "deadletter-reason",
        "deadletter-description",
        "properties-to-modify",
        "receiver-settle-mode",
        "rule-name",
        "rule-description",
        "sql-filter",
        "expression",
        "correlation-filter",
        "properties",
        "sql-rule-action",
        "skip",
        "top",
        "last-updated-time",
        "last-session-id",
        "associated-link-name",
        "enqueued-time-utc",
        "via-partition-key",
        "partition-key"
    };
    private static final String[] WORD_TEXTS = {
        "q",
        "s",
        "t",
        "p",
        "d",
        "f",
        "t/Subscriptions/a",
        "q/$management",
        "f/$Transfer/$DeadLetterQueue",
        "t/$management",
        "$cbs",
        "q/$DeadLetterQueue",
        "missing",
        "",
        "completed",
        "abandoned",
        "suspended",
        "defered",
        "RootManageSharedAccessKey",
        "amqp:accepted:list",
        "$Default",
        "1=1",
        "a"
    };
    /** The handles of links that send messages. */
    private static final int[] SENDERS = {0, 0, 0, 8, 9, 14, 16, 17};

    private static final Wire.Described[] OUTCOMES = {
        Wire.section(0x24, List.of()),
        Wire.section(0x25, List.of()),
        Wire.section(0x26, List.of()),
        Wire.section(0x27, Arrays.asList(true, true)),
        Wire.section(0x23, Arrays.asList(1L, 5L)),
        Wire.section(0x34, Arrays.asList(new byte[] {1, 2, 3, 4}, Wire.section(0x24, List.of()))),
        Wire.section(0x34, Arrays.asList(AmqpTransactions.FIRST, Wire.section(0x26, List.of())))
    };

    /** Fragments of frames, for engines that do not know their structure. */
    public static final List<byte[]> WORDS = Stream.of(
                    Stream.of(WORD_TEXTS).map(text -> WireValues.encode(text)),
                    Stream.of(OUTCOMES).map(WireValues::encode),
                    Stream.of(Frames.flow(1, 1), Frames.flow(0, 0xffff_ffffL), WireValues.encode(null)))
            .flatMap(stream -> stream)
            .toList();

    private AmqpRequests() {}

    /** Returns one to five frames. */
    public static byte[] some(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            out.writeBytes(frame(random));
        }
        return out.toByteArray();
    }

    static String word(Random random) {
        return WORD_TEXTS[random.nextInt(WORD_TEXTS.length)];
    }

    private static byte[] frame(Random random) {
        long handle = random.nextInt(Prelude.FREE_HANDLE + 1);
        return switch (random.nextInt(18)) {
            case 0, 1, 2 -> Frames.transfer(2, random.nextInt(3), request(random, "reply-q"));
            case 3, 4 -> Frames.transfer(4, random.nextInt(3), request(random, "reply-a"));
            case 5 -> Frames.transfer(6, 0, token(random));
            case 6 -> Frames.transfer(SENDERS[random.nextInt(SENDERS.length)], random.nextInt(4), message(random));
            case 7 ->
                damaged(
                        random,
                        Code.TRANSFER,
                        handle,
                        0L,
                        new byte[] {1},
                        bad(random, 0L),
                        false,
                        false,
                        null,
                        OUTCOMES[random.nextInt(OUTCOMES.length)],
                        false,
                        false,
                        false);
            case 8 ->
                damaged(
                        random,
                        Code.DISPOSITION,
                        random.nextBoolean(),
                        0L,
                        (long) random.nextInt(5),
                        random.nextBoolean(),
                        OUTCOMES[random.nextInt(OUTCOMES.length)],
                        false);
            case 9 ->
                damaged(
                        random,
                        Code.FLOW,
                        0L,
                        5_000L,
                        1L,
                        5_000L,
                        handle,
                        0L,
                        (long) random.nextInt(100),
                        null,
                        random.nextBoolean(),
                        random.nextBoolean());
            case 10, 11 -> attach(random);
            case 12 -> damaged(random, random.nextBoolean() ? Code.DETACH : Code.END, handle, true);
            case 13, 14 -> Frames.transfer(12, random.nextInt(3), request(random, "reply-s"));
            case 15, 16 -> AmqpTransactions.frame(random, SENDERS[random.nextInt(SENDERS.length)], message(random));
            default -> damaged(random, 0x10 + random.nextInt(9), handle, 1L, 2L);
        };
    }

    private static byte[] attach(Random random) {
        Map<Object, Object> filter = new LinkedHashMap<>();
        if (random.nextBoolean()) {
            filter.put(
                    Wire.sym("com.microsoft:session-filter"),
                    random.nextBoolean() ? null : Wire.section(0x0c, WireValues.any(random, 1)));
        }
        Map<Object, Object> properties = new LinkedHashMap<>();
        properties.put(Wire.sym("com.microsoft:timeout"), bad(random, 1L));
        Object node = Arrays.asList(
                bad(random, word(random)), bad(random, 0L), null, 0L, false, null, null, bad(random, filter));
        Object address = random.nextInt(6) == 0
                ? Wire.section(0x30, Arrays.asList(Wire.sym("amqp:local-transactions")))
                : Wire.section(random.nextBoolean() ? 0x29 : 0x28, Arrays.asList((Object) word(random)));
        boolean receives = random.nextBoolean();
        return damaged(
                random,
                Code.ATTACH,
                "link" + random.nextInt(4),
                (long) (Prelude.FREE_HANDLE + random.nextInt(3)),
                receives,
                (byte) random.nextInt(3),
                (byte) random.nextInt(3),
                receives ? Wire.section(0x28, node) : null,
                receives ? null : address,
                null,
                null,
                0L,
                bad(random, new Wire.Octets(WireValues.encode(null))),
                null,
                null,
                properties);
    }

    /** Returns the given frame, sometimes with a field of another type or without its last fields. */
    private static byte[] damaged(Random random, int code, @Nullable Object... fields) {
        @Nullable Object[] out = fields;
        if (random.nextInt(3) == 0) {
            out = fields.clone();
            out[random.nextInt(out.length)] = WireValues.any(random, 2);
        }
        if (random.nextInt(8) == 0) {
            out = Arrays.copyOf(out, random.nextInt(out.length + 1));
        }
        return Frames.frame(random.nextInt(20) == 0 ? 3 : 0, code, out);
    }

    private static @Nullable Object bad(Random random, @Nullable Object good) {
        return random.nextInt(5) == 0 ? WireValues.any(random, 2) : good;
    }

    private static byte[] message(Random random) {
        return dev.jitney.codec.Wire.bytes(
                dev.jitney.codec.Wire.encode(new RandomMessages(random).next().toArray(new Section<?>[0])));
    }

    private static byte[] token(Random random) {
        Map<String, Object> more = new LinkedHashMap<>();
        if (random.nextInt(4) == 0) {
            more.put("type", "jwt");
            more.put("name", random.nextInt(8) == 0 ? word(random) : "amqps://first/" + word(random));
            return Frames.request(
                    "put-token", more, bad(random, JwtTexts.token(new JwtTexts(random).next())), "reply-cbs");
        }
        more.put("type", random.nextBoolean() ? "servicebus.windows.net:sastoken" : WireValues.any(random, 0));
        more.put("name", "amqps://first/" + word(random));
        String token = new TokenTexts(random).next();
        return Frames.request("put-token", more, bad(random, TokenTexts.signed(token)), "reply-cbs");
    }

    private static byte[] request(Random random, String replyTo) {
        Map<Object, Object> arguments = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String name = ARGUMENTS[random.nextInt(ARGUMENTS.length)];
            arguments.put(name, bad(random, argument(random, name)));
        }
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("com.microsoft:server-timeout", bad(random, 1_000L));
        String operation = "com.microsoft:" + OPERATIONS[random.nextInt(OPERATIONS.length)];
        return Frames.request(operation, more, bad(random, arguments), replyTo);
    }

    private static @Nullable Object argument(Random random, String name) {
        return switch (name) {
            case "lock-tokens" -> List.of(new UUID(1, random.nextLong()), new UUID(3, 4));
            case "lock-token" -> new UUID(1, 2);
            case "sequence-numbers" ->
                List.of(new Wire.Octets(new byte[] {0x55, 1}), new Wire.Octets(new byte[] {0x55, -1}));
            case "from-sequence-number" -> new Wire.Octets(new byte[] {0x55, (byte) random.nextInt()});
            case "message-count", "skip", "top" -> random.nextInt(5) - 1;
            case "messages" -> List.of(Map.of("message", message(random), "message-id", "m", "session-id", "x"));
            case "rule-description" ->
                Map.of(
                        "sql-filter", Map.of("expression", new SqlTexts(random).filter()),
                        "sql-rule-action", Map.of("expression", new SqlTexts(random).action()));
            case "properties-to-modify" -> Map.of("a", 1);
            case "session-state" -> new byte[random.nextInt(50)];
            default -> word(random);
        };
    }
}
