package dev.jitney.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.CertificateRules.Entry;
import dev.jitney.runtime.security.CertificateRules.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.security.auth.x500.X500Principal;

/**
 * A reader of the file of {@code --tls-client-rules}, the access rules that certificates of clients stand for:
 *
 * <pre>{@code
 * {"Certificates": [
 *     {"CommonName": "orders-app", "Entity": "orders", "Rule": "orders-sender"},
 *     {"Uri": "spiffe://example.com/billing", "Namespace": "shop", "Rule": "billing"}
 * ]}
 * }</pre>
 */
public final class CertificateRulesReader {
    private static final long BYTES_MAX = 4L * 1024 * 1024;
    private static final int TEXT_MAX = 1_024;
    private static final Map<String, Part> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("Subject", Part.SUBJECT);
        PARTS.put("CommonName", Part.COMMON_NAME);
        PARTS.put("Dns", Part.DNS);
        PARTS.put("Uri", Part.URI);
        PARTS.put("Email", Part.EMAIL);
    }

    private CertificateRulesReader() {}

    /**
     * Reads a file.
     *
     * @throws ConfigException if the file cannot be read or is invalid; the message names the file, the place and the rule, in one
     *     line
     */
    public static List<Entry> read(Path file) throws ConfigException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new ConfigException(
                        file + ": Expected at most " + BYTES_MAX + " bytes, but got " + Files.size(file) + ".");
            }
            List<String> unknown = new ArrayList<>();
            ConfigObject top = ConfigObject.of(new JsonMapper().readTree(Files.readAllBytes(file)), "", unknown);
            List<Entry> entries = new ArrayList<>();
            for (ConfigObject each : top.objects("Certificates", CertificateRules.ENTRIES_MAX)) {
                entries.add(entry(each));
                each.warnOfUnknown();
            }
            top.warnOfUnknown();
            if (!unknown.isEmpty()) { // a misspelled member would give rights to another certificate or of another rule
                String member = unknown.get(0).replaceFirst(": .*", "");
                throw new ConfigException(
                        file + ": " + member + ": Expected a member that Jitney knows, but got another one.");
            }
            return entries;
        } catch (InvalidValue e) {
            throw new ConfigException(file + ": " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": There is no such file.");
        } catch (JsonProcessingException e) {
            throw new ConfigException(file + ": Expected JSON, but " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigException(file + ": Cannot read the file: " + e);
        }
    }

    private static Entry entry(ConfigObject object) {
        List<String> named = PARTS.keySet().stream().filter(object::has).toList();
        if (named.size() != 1) {
            throw object.invalid(
                    "Subject",
                    "Expected one of " + String.join(", ", PARTS.keySet()) + ", but got "
                            + (named.isEmpty() ? "none" : String.join(", ", named)) + ".");
        }
        String member = named.get(0);
        Part part = Objects.requireNonNull(PARTS.get(member));
        String value = text(object, member);
        if (part == Part.SUBJECT) {
            try {
                new X500Principal(value);
            } catch (IllegalArgumentException e) {
                throw object.invalid(
                        member,
                        "Expected a distinguished name, such as 'CN=orders-app, O=Example', but got '" + value + "'.");
            }
        }
        String namespace = object.has("Namespace") ? text(object, "Namespace") : null;
        String entity = object.has("Entity") ? text(object, "Entity") : "";
        return new Entry(part, value, namespace, entity, text(object, "Rule"));
    }

    private static String text(ConfigObject object, String member) {
        String text = object.requiredText(member).strip();
        if (text.isEmpty() || text.length() > TEXT_MAX) {
            throw object.invalid(member, "Expected 1 to " + TEXT_MAX + " characters, but got " + text.length() + ".");
        }
        return text;
    }
}
