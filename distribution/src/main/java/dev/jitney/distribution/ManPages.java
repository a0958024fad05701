package dev.jitney.distribution;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Manual pages in the macros of man(7), one per command, from the same model as {@code --help}. picocli's own generator writes
 * AsciiDoc, which needs a converter of many megabytes.
 */
final class ManPages {
    private final String version;
    private final String date;

    ManPages(String version, Instant time) {
        this.version = version;
        this.date = time.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }

    /** Returns the pages by file name: {@code jitney.1}, {@code jitney-queue-create.1}. */
    SortedMap<String, String> pages(CommandSpec command) {
        SortedMap<String, String> pages = new TreeMap<>();
        add(command, pages);
        return pages;
    }

    private void add(CommandSpec command, SortedMap<String, String> pages) {
        pages.put(name(command) + ".1", page(command));
        command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(sub -> !sub.usageMessage().hidden())
                .forEach(sub -> add(sub, pages));
    }

    private static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    private String page(CommandSpec command) {
        UsageMessageSpec usage = command.usageMessage();
        Help help = new Help(command, Help.defaultColorScheme(Help.Ansi.OFF));
        StringBuilder page = new StringBuilder();
        page.append(".TH \"")
                .append(escape(name(command).toUpperCase(java.util.Locale.ROOT)))
                .append("\" 1 \"")
                .append(date)
                .append("\" \"Jitney ")
                .append(escape(version))
                .append("\" \"Jitney\"\n");
        section(page, "NAME");
        page.append(escape(name(command)))
                .append(" \\- ")
                .append(escape(firstSentence(usage.description())))
                .append('\n');
        section(page, "SYNOPSIS");
        line(page, help.synopsis(0).replaceAll("\\s*\\R\\s*", " ").strip());
        section(page, "DESCRIPTION");
        for (String paragraph : usage.description()) {
            line(page, paragraph.replace("%n", " "));
        }
        arguments(page, command);
        Map<String, CommandLine> subcommands = command.subcommands();
        if (!subcommands.isEmpty()) {
            section(page, "COMMANDS");
            subcommands.forEach((name, sub) -> {
                if (!sub.getCommandSpec().usageMessage().hidden()) {
                    term(page, name(sub.getCommandSpec()) + "(1)");
                    line(page, firstSentence(sub.getCommandSpec().usageMessage().description()));
                }
            });
        }
        if (usage.footer().length > 0) {
            String heading = usage.footerHeading() == null
                    ? ""
                    : usage.footerHeading().replace("%n", "").replaceAll(":\\s*$", "");
            section(page, heading.isBlank() ? "NOTES" : heading.toUpperCase(java.util.Locale.ROOT));
            page.append(".nf\n");
            for (String footer : usage.footer()) {
                page.append(escapeLine(footer.replace("%%", "%"))).append('\n');
            }
            page.append(".fi\n");
        }
        if (command.parent() != null) {
            section(page, "SEE ALSO");
            line(page, name(command.parent()) + "(1)");
        }
        return page.toString();
    }

    private static void arguments(StringBuilder page, CommandSpec command) {
        List<PositionalParamSpec> parameters =
                command.positionalParameters().stream().filter(p -> !p.hidden()).toList();
        if (!parameters.isEmpty()) {
            section(page, "ARGUMENTS");
            for (PositionalParamSpec parameter : parameters) {
                term(page, parameter.paramLabel());
                describe(page, parameter);
            }
        }
        List<OptionSpec> options =
                command.options().stream().filter(o -> !o.hidden()).toList();
        if (!options.isEmpty()) {
            section(page, "OPTIONS");
            options.stream().sorted(Comparator.comparingInt(OptionSpec::order)).forEach(option -> {
                String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
                term(page, String.join(", ", option.names()) + label);
                describe(page, option);
            });
        }
    }

    private static void describe(StringBuilder page, ArgSpec argument) {
        String standard = argument.defaultValue();
        for (String text : argument.description()) {
            line(
                    page,
                    text.replace("%n", " ")
                            .replace("%%", "%")
                            .replace("${DEFAULT-VALUE}", standard == null ? "none" : standard));
        }
    }

    private static String firstSentence(String @Nullable [] description) {
        String text = description == null
                ? ""
                : Arrays.stream(description).reduce("", (a, b) -> a.isEmpty() ? b : a + " " + b);
        int end = text.indexOf(". ");
        return (end < 0 ? text.replaceAll("\\.$", "") : text.substring(0, end)).replace("%n", " ");
    }

    private static void section(StringBuilder page, String title) {
        page.append(".SH \"").append(escape(title)).append("\"\n");
    }

    private static void term(StringBuilder page, String term) {
        page.append(".TP\n.B ").append(escape(term)).append('\n');
    }

    private static void line(StringBuilder page, String text) {
        page.append(escapeLine(text)).append('\n');
    }

    /** Escapes a line. Without the escape, a dot or an apostrophe at its start would be a macro. */
    private static String escapeLine(String text) {
        String escaped = escape(text);
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    private static String escape(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }
}
