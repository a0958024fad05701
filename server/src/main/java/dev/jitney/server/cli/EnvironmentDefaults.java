package dev.jitney.server.cli;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Takes what the command line does not say from environment variables: {@code --amqp-port} from JITNEY_AMQP_PORT. */
final class EnvironmentDefaults implements IDefaultValueProvider {
    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The variable of an option. */
    static String variable(String option) {
        return "JITNEY_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** The value of an option's variable, or null if it is not set; an empty one counts as not set. */
    @Nullable
    String value(String option) {
        String value = environment.get(variable(option));
        return value == null || value.isEmpty() ? null : value;
    }

    /** A null result lets the option's own default count. */
    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option && option.longestName().startsWith("--")
                ? value(option.longestName())
                : null;
    }
}
