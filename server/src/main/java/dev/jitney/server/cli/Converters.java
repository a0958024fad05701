package dev.jitney.server.cli;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.model.Partitioning;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.config.LimitSettings;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.Tls;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option values. An invalid value is refused with a sentence that begins with "Expected". */
final class Converters {
    private Converters() {}

    /** A port; 0 for any free port. */
    static final class Port implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 0, 65_535, "a port from 0 to 65535 (0 = any free port)");
        }
    }

    /** A port without TLS, or {@code off} for none. */
    static final class Plain implements ITypeConverter<PlainPort> {
        @Override
        public PlainPort convert(String value) {
            return value.strip().equalsIgnoreCase("off")
                    ? PlainPort.OFF
                    : PlainPort.of(number(value, 0, 65_535, "a port from 0 to 65535 (0 = any free port), or off"));
        }
    }

    /** A timeout in seconds. */
    static final class Seconds implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 1, 3_600, "seconds from 1 to 3600");
        }
    }

    /** A waiting time from one second to one day. */
    static final class Wait implements ITypeConverter<Duration> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(s|m|h)?");
        private static final long SECONDS_MAX = 24 * 3_600;

        @Override
        public Duration convert(String value) {
            Matcher matcher = FORM.matcher(value.strip().toLowerCase(Locale.ROOT));
            if (matcher.matches()) {
                String unit = matcher.group(2);
                long factor = "h".equals(unit) ? 3_600 : "m".equals(unit) ? 60 : 1;
                long seconds = Long.parseLong(matcher.group(1)) * factor;
                if (seconds >= 1 && seconds <= SECONDS_MAX) {
                    return Duration.ofSeconds(seconds);
                }
            }
            throw new TypeConversionException(
                    "Expected a time from 1s to 24h, for example 30s, 2m or 1h, but got '" + value + "'.");
        }
    }

    /** A time from 0 to ten years, with a unit. */
    static final class Interval implements ITypeConverter<Duration> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)?");
        private static final Duration MAX = Duration.ofDays(3_650);

        @Override
        public Duration convert(String value) {
            Matcher matcher = FORM.matcher(value.strip().toLowerCase(Locale.ROOT));
            if (matcher.matches()) {
                long number = Long.parseLong(matcher.group(1));
                String unit = matcher.group(2);
                Duration time = switch (unit == null ? "s" : unit) {
                    case "ms" -> Duration.ofMillis(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    case "d" -> Duration.ofDays(number);
                    default -> Duration.ofSeconds(number);
                };
                if (time.compareTo(MAX) <= 0) {
                    return time;
                }
            }
            throw new TypeConversionException(
                    "Expected a time of at most 3650d, for example 500ms, 1s, 10m or 7d, but got '" + value + "'.");
        }
    }

    /** The nodes of a cluster, such as {@code a=host:7400,b=host:7400,c=host:7400}. */
    static final class Members implements ITypeConverter<ClusterMembers> {
        @Override
        public ClusterMembers convert(String value) {
            try {
                return new ClusterMembers(ClusterMember.parse(value));
            } catch (IllegalArgumentException e) {
                String message = String.valueOf(e.getMessage());
                String option = "--cluster-nodes: ";
                throw new TypeConversionException(
                        message.startsWith(option) ? message.substring(option.length()) : message);
            }
        }
    }

    /** The id of a cluster. */
    static final class ClusterId implements ITypeConverter<UUID> {
        @Override
        public UUID convert(String value) {
            try {
                return UUID.fromString(value.strip());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "Expected the id of the cluster, as jitney cluster status shows it, but" + " got '" + value
                                + "'.");
            }
        }
    }

    /** A size in bytes with a unit, such as 512m or 1g. */
    static final class Size implements ITypeConverter<Long> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,12})([kmg]?)");

        @Override
        public Long convert(String value) {
            Matcher matcher = FORM.matcher(value.strip().toLowerCase(Locale.ROOT));
            if (!matcher.matches()) {
                throw new TypeConversionException("Expected a size such as 512m or 1g, but got '" + value + "'.");
            }
            int shift = switch (matcher.group(2)) {
                case "k" -> 10;
                case "m" -> 20;
                case "g" -> 30;
                default -> 0;
            };
            return Long.parseLong(matcher.group(1)) << shift;
        }
    }

    /** An election timeout in milliseconds. */
    static final class Election implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(
                    value,
                    ClusterOptions.ELECTION_MS_MIN,
                    ClusterOptions.ELECTION_MS_MAX,
                    "milliseconds from " + ClusterOptions.ELECTION_MS_MIN + " to " + ClusterOptions.ELECTION_MS_MAX);
        }
    }

    /** The nodes of a cluster. */
    record ClusterMembers(List<ClusterMember> members) {
        ClusterMembers {
            members = List.copyOf(members);
        }
    }

    /** A number of stores. */
    static final class Stores implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 1, 64, "a number from 1 to 64");
        }
    }

    /** The number of partitions of each queue and topic in PREMIUM. */
    static final class Partitions implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            String what = "1, 2 or 4";
            int number = number(value, 1, 4, what);
            if (!Partitioning.isPremiumPartitions(number)) {
                throw new TypeConversionException("Expected " + what + ", but got '" + value + "'.");
            }
            return number;
        }
    }

    /** Throttling credits per second. */
    static final class Credits implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(
                    value,
                    0,
                    Integer.MAX_VALUE,
                    "credits per second from 0 to " + Integer.MAX_VALUE + " (0 = no throttling)");
        }
    }

    /** A number of entities. */
    static final class Entities implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 0, 1_000_000, "a number of entities from 0 to 1000000");
        }
    }

    /** The source of the certificate. */
    static final class TlsSource implements ITypeConverter<Tls> {
        @Override
        public Tls convert(String value) {
            try {
                return Tls.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** The certificate of a node. */
    static final class NodeCertificates implements ITypeConverter<ClusterCertificates> {
        @Override
        public ClusterCertificates convert(String value) {
            try {
                return ClusterCertificates.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** One quota, {@code name=number}. */
    static final class Limit implements ITypeConverter<LimitOption> {
        @Override
        public LimitOption convert(String value) {
            int equals = value.indexOf('=');
            if (equals <= 0) {
                throw new TypeConversionException(
                        "Expected NAME=NUMBER, for example maxMessageSizeBytes=1048576, but got '" + value + "'.");
            }
            return limit(
                    value.substring(0, equals).strip(),
                    value.substring(equals + 1).strip());
        }
    }

    /** A quota with its value. */
    record LimitOption(String name, long value) {}

    static LimitOption limit(String name, String number) {
        try {
            String canonical = LimitSettings.canonicalName(name);
            return new LimitOption(canonical, LimitSettings.checked(canonical, Long.parseLong(number)));
        } catch (NumberFormatException e) {
            throw new TypeConversionException("Expected a whole number for " + name + ", but got '" + number + "'.");
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the constant of an enum with this name, ignoring case and accepting '-' for '_'. */
    static <E extends Enum<E>> E choice(Class<E> type, String value) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(value.replace('-', '_'))) {
                return constant;
            }
        }
        String names = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toUpperCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw new TypeConversionException("Expected one of " + names + ", but got '" + value + "'.");
    }

    private static int number(String value, int min, int max, String what) {
        try {
            int number = Integer.parseInt(value.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new TypeConversionException("Expected " + what + ", but got '" + value + "'.");
    }
}
