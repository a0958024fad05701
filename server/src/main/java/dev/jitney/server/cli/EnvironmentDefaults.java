package dev.jitney.server.cli;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A provider of option values from environment variables, for options that the command line does not set: {@code
 * --amqp-port} from JITNEY_AMQP_PORT.
 */
final class EnvironmentDefaults implements IDefaultValueProvider {
    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Returns the name of the environment variable of an option. */
    static String variable(String option) {
        return "JITNEY_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Returns the value of the option's variable, or null if it is not set or empty. */
    @Nullable
    String value(String option) {
        String value = environment.get(variable(option));
        return value == null || value.isEmpty() ? null : value;
    }

    /** Returns null if the option's own default applies. */
    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option && option.longestName().startsWith("--")
                ? value(option.longestName())
                : null;
    }
}
