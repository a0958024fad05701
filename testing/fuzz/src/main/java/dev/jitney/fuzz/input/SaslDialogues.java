package dev.jitney.fuzz.input;

import dev.jitney.fuzz.server.FuzzedBroker;
import dev.jitney.model.AccessRule;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The SASL dialogues of clients before authentication: all mechanisms, with wrong credentials with none, and with
 * tokens of an identity provider.
 */
public final class SaslDialogues {
    private static final String[] MECHANISMS = {
        "PLAIN", "PLAIN", "ANONYMOUS", "MSSBCBS", "EXTERNAL", "plain", "SCRAM-SHA-256", "", "OAUTHBEARER", "XOAUTH2"
    };
    private static final String[] CREDENTIALS = {
        "\0" + AccessRule.ROOT_NAME + "\0" + FuzzedBroker.KEY,
        "\0" + AccessRule.ROOT_NAME + "\0wrong",
        "first\0" + AccessRule.ROOT_NAME.toUpperCase(java.util.Locale.ROOT) + "\0" + FuzzedBroker.KEY,
        "\0\0",
        "\0",
        "",
        "\0" + AccessRule.ROOT_NAME + "\0" + FuzzedBroker.KEY + "\0"
    };

    private static final int SASL_TYPE = 1;
    private static final int FIRST_CODE = 0x40;
    private static final int CODES = 5;
    private static final int LONG_BYTES = 3_000;

    private SaslDialogues() {}

    /** Returns a dialogue, sometimes with a connection after it. */
    public static byte[] some(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Frames.SASL);
        out.writeBytes(init(random));
        for (int i = random.nextInt(8) - 5; i > 0; i--) {
            out.writeBytes(random.nextBoolean() ? init(random) : other(random));
        }
        if (random.nextInt(4) > 0) {
            out.writeBytes(Frames.AMQP);
            out.writeBytes(Frames.open());
            out.writeBytes(Frames.begin(0));
            out.writeBytes(AmqpRequests.some(random));
        }
        return out.toByteArray();
    }

    private static byte[] init(Random random) {
        Object mechanism = Wire.sym(MECHANISMS[random.nextInt(MECHANISMS.length)]);
        String[] hosts = {null, "first", "first.example:5672", "", "missing", "\u00e9"};
        return sasl(
                Code.SASL_INIT,
                bad(random, mechanism),
                bad(random, response(random)),
                bad(random, hosts[random.nextInt(hosts.length)]));
    }

    private static byte @Nullable [] response(Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> null;
            case 1 -> new byte[random.nextInt(LONG_BYTES)];
            case 8 -> withToken("n,a=first,\1host=first\1port=5671\1", random);
            case 9 -> withToken("user=first\1", random);
            case 2 -> new byte[] {0, (byte) 0xff, (byte) 0xc0, 0, (byte) 0x80};
            default -> CREDENTIALS[random.nextInt(CREDENTIALS.length)].getBytes(StandardCharsets.UTF_8);
        };
    }

    /** Returns a response of OAUTHBEARER or XOAUTH2. */
    private static byte[] withToken(String before, Random random) {
        String[] kinds = {"auth=Bearer ", "auth=Bearer ", "auth=bearer", "auth=Basic ", "Auth=Bearer  ", ""};
        String token = JwtTexts.token(new JwtTexts(random).next());
        String[] ends = {"\1\1", "\1\1", "\1", "", "\1auth=Bearer x\1\1", "\1" + "x".repeat(LONG_BYTES)};
        return (before + kinds[random.nextInt(kinds.length)] + token + ends[random.nextInt(ends.length)])
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a frame that only the server may send, or an answer that was not requested. */
    private static byte[] other(Random random) {
        return sasl(FIRST_CODE + random.nextInt(CODES), bad(random, new byte[] {1}), bad(random, List.of()));
    }

    private static byte[] sasl(int code, @Nullable Object... fields) {
        return Frames.frame(SASL_TYPE, 0, WireValues.encode(Wire.section(code, Arrays.asList(fields))), new byte[0]);
    }

    private static @Nullable Object bad(Random random, @Nullable Object good) {
        return random.nextInt(10) == 0 ? WireValues.any(random, 2) : good;
    }
}
