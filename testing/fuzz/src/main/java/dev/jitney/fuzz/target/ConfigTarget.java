package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A {@code Config.json}, read in the emulator's format and in ours. It is accepted, or refused in one line. */
public final class ConfigTarget implements FuzzTarget {
    private static final String[] VALUES = {
        "true",
        "false",
        "null",
        "0",
        "-1",
        "10",
        "1e400",
        "\"\"",
        "\"PT1M\"",
        "\"P99999999999999D\"",
        "\"q\"",
        "[]",
        "{}",
        "99999999999999999999",
        "1.5",
        "\"Standard\"",
        "\"Premium\"",
        "\"\\ud800\"",
        "\"SELECT\""
    };
    private static final String[] SETTINGS = {
        "LockDuration",
        "MaxDeliveryCount",
        "RequiresSession",
        "DefaultMessageTimeToLive",
        "DeadLetteringOnMessageExpiration",
        "DuplicateDetectionHistoryTimeWindow",
        "RequiresDuplicateDetection",
        "ForwardTo",
        "ForwardDeadLetteredMessagesTo",
        "MaxSizeInMegabytes",
        "AutoDeleteOnIdle",
        "EnablePartitioning",
        "Status",
        "UserMetadata",
        "AccessRules",
        "Nonsense"
    };

    private final Path file;

    /** The file, kept open: some file systems write a file to the disk if it is truncated when it is opened. */
    private final FileChannel content;

    public ConfigTarget() throws IOException {
        file = Files.createTempFile("jitney-fuzz", ".json");
        file.toFile().deleteOnExit();
        content = FileChannel.open(file, StandardOpenOption.WRITE);
    }

    @Override
    public String name() {
        return "config";
    }

    @Override
    public byte[] generate(Random random) {
        StringBuilder out = new StringBuilder("{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"sbemulatorns\",");
        if (random.nextInt(3) == 0) {
            out.append("\"Tier\":").append(one(random, VALUES)).append(',');
            out.append("\"Limits\":{\"maxEntities\":")
                    .append(one(random, VALUES))
                    .append("},");
        }
        out.append("\"Queues\":[{\"Name\":\"q\",\"Properties\":").append(properties(random));
        out.append("}],\"Topics\":[{\"Name\":\"t\",\"Properties\":").append(properties(random));
        out.append(",\"Subscriptions\":[{\"Name\":\"s\",\"Properties\":").append(properties(random));
        out.append(",\"Rules\":[").append(rule(random)).append("]}]}]}],");
        return out.append("\"Logging\":{\"Type\":\"File\"}}}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String rule(Random random) {
        return random.nextBoolean()
                ? "{\"Name\":\"r\",\"Properties\":{\"FilterType\":\"Sql\",\"SqlFilter\":{\"SqlExpression\":"
                        + one(random, VALUES) + "},\"Action\":{\"SqlExpression\":" + one(random, VALUES) + "}}}"
                : "{\"Name\":\"r\",\"Properties\":{\"FilterType\":\"Correlation\",\"CorrelationFilter\":{\"Label\":"
                        + one(random, VALUES) + ",\"Properties\":{\"a\":" + one(random, VALUES) + "}}}}";
    }

    private static String properties(Random random) {
        StringBuilder out = new StringBuilder("{");
        for (int i = random.nextInt(4); i > 0; i--) {
            out.append('"').append(one(random, SETTINGS)).append("\":").append(one(random, VALUES));
            out.append(i > 1 ? "," : "");
        }
        return out.append('}').toString();
    }

    private static String one(Random random, String[] of) {
        return of[random.nextInt(of.length)];
    }

    @Override
    public void run(byte[] input) throws IOException {
        content.write(ByteBuffer.wrap(input), 0);
        content.truncate(input.length);
        for (boolean strict : new boolean[] {false, true}) {
            try {
                ConfigReader.read(file, strict);
            } catch (ConfigException refused) {
                String line = refused.getMessage();
                if (line == null || line.isBlank() || line.contains("\n")) {
                    throw new AssertionError("Expected one line that describes the error, but got: " + line);
                }
            }
        }
    }

    @Override
    public List<byte[]> words() {
        return Stream.concat(Stream.of(VALUES), Stream.of(SETTINGS).map(name -> '"' + name + '"'))
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    @Override
    public void close() throws IOException {
        content.close();
        Files.deleteIfExists(file);
    }
}
