package dev.jitney.server.cli;

import dev.jitney.runtime.Clock;
import dev.jitney.runtime.security.TlsPolicy;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.ServerOptions;
import dev.jitney.server.cli.log.LogFormat;
import dev.jitney.server.cli.log.LogLevel;
import dev.jitney.server.cli.log.LogSetup;
import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.doctor.Doctor;
import dev.jitney.server.doctor.DoctorReport;
import dev.jitney.server.doctor.Installation;
import dev.jitney.server.doctor.ServerProcess;
import dev.jitney.server.doctor.check.Checks;
import dev.jitney.server.tls.ClusterCertificates;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * {@code jitney doctor}: checks an installation, running or stopped. It takes all options of {@code jitney server}, in arguments and
 * environment variables, so that it checks what that command line starts.
 */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        customSynopsis = "jitney doctor [--json] [--url URL] [--time-limit DURATION] [OPTIONS OF jitney server]",
        description = {
            "Checks an installation, running or stopped: settings, permissions of files, keys, ports, certificates,"
                    + " clock, disk, memory, limits, versions, and the checksums of all data. Each finding has its fix.",
            "",
            "Give it the options or environment variables of the server, such as --data-dir, --config, --host and"
                    + " --tls. It changes nothing, and sends no key. Run it as the user of the server.",
            "",
            "Levels: ok; advice, an improvement; warning, a risk to remove before production; fault, something that is"
                    + " broken or open to an attack.",
            "",
            "Exit status: 0 = no warning and no fault, 1 = a warning or a fault, 2 = invalid options."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  jitney doctor",
            "  jitney doctor --data-dir /var/lib/jitney --config /etc/jitney/config.json",
            "  jitney doctor --url https://broker-1:5300 --url https://broker-2:5300   compares clocks too",
            "  jitney doctor --json | jq '.findings[] | select(.level == \"fault\")'"
        })
final class DoctorCommand implements Callable<Integer> {
    private final PrintStream out;
    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Print the findings as one line of JSON.")
    private boolean json;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "URL of a running server, or of its node port; repeatable (default: the server's own port for"
                    + " HTTP if a server holds the data directory).")
    private List<String> urls = new ArrayList<>();

    @Option(
            names = "--time-limit",
            paramLabel = "DURATION",
            converter = Converters.Wait.class,
            description = "Time for all checks, for example 30s or 10m. Checksums take about a second for each 500 MB"
                    + " (default: 60s).")
    private Duration timeLimit = Duration.ofSeconds(60);

    @Unmatched
    private List<String> serverOptions = new ArrayList<>();

    DoctorCommand(PrintStream out, Map<String, String> environment) {
        this.out = out;
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.use(LogLevel.OFF, LogFormat.TEXT);
        ServerCommand server = new ServerCommand(environment, (builder, configured, exitWithInput) -> 0);
        CommandLine parsed = new CommandLine(server).setDefaultValueProvider(new EnvironmentDefaults(environment));
        parsed.parseArgs(serverOptions.toArray(new String[0]));
        String configTrouble = null;
        ServerConfig config = ServerConfig.empty();
        try {
            config = server.readConfig();
        } catch (ParameterException e) {
            configTrouble = e.getMessage();
        }
        JitneyServerBuilder builder = server.builder(config);
        DoctorReport report = new DoctorReport(
                new Doctor(Checks.all(), timeLimit).examine(installation(builder.options(), parsed, configTrouble)));
        out.print(json ? report.json() + "\n" : report.text());
        out.flush();
        return report.hasTrouble() ? 1 : 0;
    }

    private Installation installation(ServerOptions options, CommandLine parsed, @Nullable String configTrouble) {
        Path dataDir = options.dataDir() == null
                ? null
                : options.dataDir().toAbsolutePath().normalize();
        ServerProcess process = ServerProcess.of(dataDir);
        List<URI> all = new ArrayList<>();
        for (String url : urls) {
            all.add(url(url));
        }
        if (all.isEmpty() && process.running()) {
            URI own = ownUrl(options);
            if (own != null) {
                all.add(own);
            }
        }
        List<String> secrets = new ArrayList<>();
        if (value(parsed, "--sas-key") != null) {
            secrets.add("--sas-key");
        }
        List<Path> secretFiles = new ArrayList<>();
        if (value(parsed, "--sas-key-file") instanceof Path file) {
            secretFiles.add(file);
        }
        for (String option : List.of("--secrets-key-file", "--secrets-dir", "--console-oidc-secret-file")) {
            if (value(parsed, option) instanceof Path file) {
                secretFiles.add(file);
            }
        }
        options.config().keySources().forEach(source -> secretFiles.add(source.file()));
        String tls = String.valueOf(options.tls());
        if (!tls.startsWith("auto") && tls.contains(",")) {
            secretFiles.add(Path.of(tls.split(",", -1)[1]));
        }
        ClusterOptions cluster = options.cluster();
        ClusterCertificates nodes = cluster == null ? null : cluster.tls();
        if (nodes != null) {
            secretFiles.add(nodes.key());
        }
        return new Installation(
                options,
                value(parsed, "--config") instanceof Path file ? file : null,
                configTrouble,
                secretFiles,
                secrets,
                all,
                !urls.isEmpty(),
                process,
                Clock.system().nowMs());
    }

    private static @Nullable Object value(CommandLine parsed, String option) {
        OptionSpec found = parsed.getCommandSpec().findOption(option);
        return found == null ? null : found.getValue();
    }

    /** Returns the URL for the health of a server on this machine, or null if its port is not fixed. */
    private static @Nullable URI ownUrl(ServerOptions options) {
        boolean certificates = options.tlsSettings().policy().clientAuthentication()
                == TlsPolicy.ClientAuthentication.REQUIRED; // which the check has none of
        Integer plain = certificates && options.healthPort() != null ? options.healthPort() : options.httpPort();
        Integer secure = options.httpsPort();
        if (plain == null && secure == null) {
            List<Integer> ports = options.ports() == null ? JitneyServerBuilder.DEFAULT_PORTS : options.ports();
            secure = options.tls() == null || ports.isEmpty() ? null : ports.get(0);
        }
        Integer port = plain != null ? plain : secure;
        if (port == null || port == 0) {
            return null;
        }
        return URI.create((plain != null ? "http://" : "https://") + address(options.host()) + ":" + port);
    }

    private static String address(String host) {
        return switch (host) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::", "[::]", "0:0:0:0:0:0:0:0" -> "[::1]";
            default -> host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        };
    }

    private URI url(String text) {
        try {
            URI url = new URI(text);
            if (url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                return url;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        CommandSpec own = spec;
        if (own == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        throw new ParameterException(
                own.commandLine(), "--url: Expected a URL such as http://localhost:5300, but got '" + text + "'.");
    }
}
