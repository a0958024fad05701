package dev.jitney.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Reads defaults of shared options from environment variables, for example {@code --admin-url} from JITNEY_ADMIN_URL. */
final class EnvironmentDefaults implements IDefaultValueProvider {
    private static final Set<String> OPTIONS =
            Set.of("--connection-string", "--admin-url", "--ca", "--transport", "--output", "--primary", "--secondary");

    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || !OPTIONS.contains(option.longestName())) {
            return null;
        }
        String variable =
                "JITNEY_" + option.longestName().substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
        String value = environment.get(variable);
        return value == null || value.isBlank() ? null : value;
    }
}
