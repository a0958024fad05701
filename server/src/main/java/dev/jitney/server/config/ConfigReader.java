package dev.jitney.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the Microsoft emulator's {@code Config.json}, which is accepted unchanged, including comments (HTTP
 * reference 4.1).
 *
 * <p>Outside strict mode, Jitney accepts additions to that format. A file may have several namespaces. A namespace may
 * have {@code AccessRules}, {@code Tier}, {@code ExpiryEnforcement}, {@code Throttling}, {@code TransferFailureTarget},
 * {@code DeletionLock}, {@code PartitioningDefault}, {@code PremiumPartitions} and {@code Limits}. Entities may have
 * {@code AccessRules} and the properties of the administration API. {@code Logging} is checked and otherwise ignored:
 * log lines go to standard error.
 */
public final class ConfigReader {
    private static final long MAX_FILE_BYTES = 16L * 1024 * 1024;
    private static final int MAX_NAMESPACES = 100;
    private static final int MAX_ENTITIES = 10_000;
    private static final int EMULATOR_ENTITIES = 50;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final boolean strict;
    private final KeyOrigins keys;
    private final EntityReader entities;
    private final List<String> warnings = new ArrayList<>();

    private ConfigReader(boolean strict, KeyOrigins keys) {
        this.strict = strict;
        this.keys = keys;
        this.entities = new EntityReader(strict, warnings, keys);
    }

    /**
     * Reads a file.
     *
     * @param strict true to apply the emulator's own limits and to refuse additions to its format
     * @throws ConfigException if the file cannot be read or is invalid; the message names the place and the rule, in
     *     one line
     */
    public static ServerConfig read(Path file, boolean strict) throws ConfigException {
        return read(file, strict, KeyOrigins.of(file, null, Map.of()));
    }

    /**
     * Reads a file.
     *
     * @param strict true to apply the emulator's own limits and to refuse additions to its format
     * @param keys the places of keys outside the file
     * @throws ConfigException if the file cannot be read or is invalid; the message names the place and the rule, in
     *     one line
     */
    public static ServerConfig read(Path file, boolean strict, KeyOrigins keys) throws ConfigException {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new ConfigException(
                        file + ": Expected at most " + MAX_FILE_BYTES + " bytes, but got " + Files.size(file) + ".");
            }
            return parse(file.toString(), Files.readAllBytes(file), strict, keys);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": There is no such file.");
        } catch (IOException e) {
            throw new ConfigException(file + ": Cannot read the file: " + e);
        }
    }

    /**
     * Reads the content of a file that a client has sent, which must not name other files.
     *
     * @param name   the file, as messages name it
     * @param strict true to apply the emulator's own limits and to refuse additions to its format
     * @throws ConfigException if the content is invalid; the message names the place and the rule, in one line
     */
    public static ServerConfig parse(String name, byte[] content, boolean strict) throws ConfigException {
        return parse(name, content, strict, KeyOrigins.none());
    }

    private static ServerConfig parse(String name, byte[] content, boolean strict, KeyOrigins keys)
            throws ConfigException {
        try {
            return new ConfigReader(strict, keys).read(JSON.readTree(content), Digests.sha256(content));
        } catch (InvalidValue e) {
            throw new ConfigException(name + ": " + e.getMessage());
        } catch (JsonProcessingException e) {
            String place = e.getLocation() == null
                    ? ""
                    : "line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ": ";
            throw new ConfigException(name + ": " + place + "Expected JSON, but " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigException(name + ": Cannot read the file: " + e);
        }
    }

    /**
     * Reads the content of one namespace of a file, without its name.
     *
     * @param name  the content, as messages name it
     * @param namespace the name of the namespace
     * @throws ConfigException if the content is invalid; the message names the place and the rule, in one line
     */
    public static NamespaceConfig parseNamespace(String name, String namespace, byte[] content) throws ConfigException {
        try {
            JsonNode node = JSON.readTree(content);
            if (!(node instanceof ObjectNode object)) {
                throw new ConfigException(name + ": Expected a JSON object.");
            }
            object.put("Name", namespace);
            ObjectNode file = JSON.createObjectNode();
            file.putObject("UserConfig").putArray("Namespaces").add(object);
            return new ConfigReader(false, KeyOrigins.none())
                    .read(file, "")
                    .namespaces()
                    .get(0);
        } catch (InvalidValue e) {
            throw new ConfigException(name + ": " + e.getMessage());
        } catch (JsonProcessingException e) {
            throw new ConfigException(name + ": Expected JSON, but " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigException(name + ": " + e);
        }
    }

    private ServerConfig read(JsonNode root, String digest) {
        ConfigObject top = ConfigObject.of(root, "", warnings);
        ConfigObject user = top.requiredObject("UserConfig");
        ConfigObject logging = user.object("Logging");
        if (logging != null || strict) {
            logging(user.requiredObject("Logging"));
        }
        List<NamespaceConfig> namespaces = new ArrayList<>();
        EntityNames names = new EntityNames();
        for (ConfigObject namespace : user.objects("Namespaces", strict ? 1 : MAX_NAMESPACES)) {
            namespaces.add(namespace(namespace, names));
        }
        if (namespaces.isEmpty()) {
            throw user.invalid("Namespaces", "Expected at least one namespace, but got none.");
        }
        user.warnOfUnknown();
        top.allNames().stream()
                .filter(name -> !name.equalsIgnoreCase("UserConfig") && !name.equals("$schema"))
                .forEach(name -> warnings.add(name + ": Jitney does not know this member and ignores it."));
        return new ServerConfig(namespaces, warnings, digest, keys.sources());
    }

    private static void logging(ConfigObject logging) {
        String type = logging.requiredText("Type");
        for (String part : type.split(",", -1)) {
            if (!part.strip().equalsIgnoreCase("File") && !part.strip().equalsIgnoreCase("Console")) {
                throw logging.invalid("Type", "Expected File, Console or File,Console, but got '" + type + "'.");
            }
        }
        logging.warnOfUnknown();
    }

    private NamespaceConfig namespace(ConfigObject namespace, EntityNames names) {
        String name = names.namespace(namespace);
        keys.namespace(name);
        int maxEntities = strict ? EMULATOR_ENTITIES : MAX_ENTITIES;
        EntityNames entityNames = new EntityNames();
        List<QueueConfig> queues = new ArrayList<>();
        for (ConfigObject queue : namespace.objects("Queues", maxEntities)) {
            queues.add(entities.queue(queue, entityNames));
        }
        List<TopicConfig> topics = new ArrayList<>();
        for (ConfigObject topic : namespace.objects("Topics", maxEntities)) {
            topics.add(entities.topic(topic, entityNames));
        }
        if (queues.size() + topics.size() > maxEntities) {
            throw new InvalidValue(
                    namespace.path(),
                    "Expected at most " + maxEntities + " queues and topics, but got " + (queues.size() + topics.size())
                            + ".");
        }
        NamespaceConfig config = strict
                ? NamespaceConfig.declaring(name, queues, topics)
                : new NamespaceConfig(
                        name,
                        AccessRules.read(namespace, keys, null),
                        choice(namespace, "Tier", TierProfile.class),
                        choice(namespace, "ExpiryEnforcement", ExpiryEnforcement.class),
                        throttling(namespace),
                        choice(namespace, "TransferFailureTarget", TransferFailureTarget.class),
                        namespace.bool("DeletionLock"),
                        choice(namespace, "PartitioningDefault", PartitioningDefault.class),
                        premiumPartitions(namespace),
                        limits(namespace),
                        queues,
                        topics);
        if (config.accessRules() != null && config.accessRules().isEmpty()) {
            throw namespace.invalid(
                    "AccessRules",
                    "Expected at least one rule, but got none. Remove the member to use"
                            + " the root rule with the key of the server.");
        }
        namespace.warnOfUnknown();
        return config;
    }

    private static @Nullable Integer throttling(ConfigObject namespace) {
        Long credits = namespace.integer("Throttling", 0, Integer.MAX_VALUE);
        return credits == null ? null : Math.toIntExact(credits);
    }

    private static @Nullable Integer premiumPartitions(ConfigObject namespace) {
        String member = "PremiumPartitions";
        Long partitions = namespace.integer(member, 1, 4);
        if (partitions == null) {
            return null;
        }
        int number = Math.toIntExact(partitions);
        if (!Partitioning.isPremiumPartitions(number)) {
            throw namespace.invalid(member, "Expected 1, 2 or 4, but got " + number + ".");
        }
        return number;
    }

    private static Map<String, Long> limits(ConfigObject namespace) {
        ConfigObject object = namespace.object("Limits");
        Map<String, Long> limits = new LinkedHashMap<>();
        if (object != null) {
            for (String name : object.allNames()) {
                try {
                    String canonical = LimitSettings.canonicalName(name);
                    Long value = object.integer(name, 1, Long.MAX_VALUE);
                    if (value != null) {
                        limits.put(canonical, LimitSettings.checked(canonical, value));
                    }
                } catch (IllegalArgumentException e) {
                    throw object.invalid(name, String.valueOf(e.getMessage()));
                }
            }
        }
        return limits;
    }

    private static <E extends Enum<E>> @Nullable E choice(ConfigObject object, String name, Class<E> type) {
        String text = object.text(name);
        if (text == null) {
            return null;
        }
        for (E value : type.getEnumConstants()) {
            if (value.name().equalsIgnoreCase(text)) {
                return value;
            }
        }
        throw object.invalid(
                name,
                "Expected one of "
                        + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "))
                        + ", but got '" + text.toUpperCase(Locale.ROOT) + "'.");
    }
}
