package dev.jitney.comparison.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The file {@code broker.xml} of an instance of Artemis. Only the settings that a comparison must change are changed:
 * the data directory, the AMQP port (and no other protocol), the addresses, and the limit that stops the broker when
 * the disk is nine tenths full.
 */
final class ArtemisConfig {
    private static final Pattern ACCEPTORS = Pattern.compile("<acceptors>.*?</acceptors>", Pattern.DOTALL);
    private static final Pattern AMQP = Pattern.compile("<acceptor name=\"amqp\">tcp://[^:<]+:\\d+([^<]*)</acceptor>");
    private static final Pattern ADDRESSES = Pattern.compile("<addresses>.*?</addresses>", Pattern.DOTALL);
    private static final Pattern MAX_DISK = Pattern.compile("<max-disk-usage>[^<]*</max-disk-usage>");

    private ArtemisConfig() {}

    /**
     * Adapts the file.
     *
     * @param created contents written by the broker's own command
     * @throws IOException if the file has an unexpected form, or its journal is not synced
     */
    static String adapt(String created, Path data, int port, Entities entities) throws IOException {
        if (!element(created, "journal-datasync").equals("true")
                || !element(created, "persistence-enabled").equals("true")) {
            throw new IOException(
                    "Expected an instance with a synced journal, but its configuration has another journal.");
        }
        Matcher amqp = AMQP.matcher(created);
        if (!amqp.find()) {
            throw new IOException(
                    "Expected an acceptor for AMQP in the configuration of the instance, but it has none.");
        }
        String acceptor = "<acceptors><acceptor name=\"amqp\">tcp://127.0.0.1:" + port + amqp.group(1)
                + "</acceptor></acceptors>";
        String text = replace(created, ACCEPTORS, acceptor);
        text = replace(text, ADDRESSES, addresses(entities));
        text = replace(text, MAX_DISK, "<max-disk-usage>-1</max-disk-usage>");
        for (String directory : List.of("paging", "bindings", "journal", "large-messages")) {
            text = replace(
                    text,
                    Pattern.compile("<" + directory + "-directory>[^<]*</" + directory + "-directory>"),
                    "<" + directory + "-directory>" + data.resolve(directory) + "</" + directory + "-directory>");
        }
        return text;
    }

    private static String addresses(Entities entities) {
        String queues = Stream.concat(Stream.of(Entities.READY), entities.queueNames().stream())
                .map(name ->
                        "<address name=\"" + name + "\"><anycast><queue name=\"" + name + "\"/></anycast></address>")
                .collect(Collectors.joining());
        String topic = entities.subscriptions() == 0
                ? ""
                : entities.subscriptionNames().stream()
                        .map(name -> "<queue name=\"" + name + "\"/>")
                        .collect(Collectors.joining(
                                "", "<address name=\"" + Entities.TOPIC + "\"><multicast>", "</multicast></address>"));
        return "<addresses>" + queues + topic
                + "<address name=\"DLQ\"><anycast><queue name=\"DLQ\"/></anycast></address></addresses>";
    }

    /** Returns the settings for the report. */
    static List<String> settings(String created) {
        List<String> settings = new ArrayList<>();
        settings.add("instance created by `artemis create --silent`, AMQP acceptor only, no web console");
        for (String name : List.of(
                "journal-type",
                "journal-datasync",
                "journal-buffer-timeout",
                "journal-file-size",
                "page-sync-timeout")) {
            settings.add("`" + name + "` " + element(created, name));
        }
        settings.add("anycast queues, and a multicast address whose queues are read by their fully qualified names;"
                + " `max-disk-usage` off; otherwise default settings, pages to disk at half of the heap");
        return settings;
    }

    private static String replace(String text, Pattern what, String with) throws IOException {
        Matcher matcher = what.matcher(text);
        if (!matcher.find()) {
            throw new IOException("Expected " + what + " in the configuration of the instance, but it is missing.");
        }
        return matcher.replaceFirst(Matcher.quoteReplacement(with));
    }

    private static String element(String text, String name) {
        Matcher matcher =
                Pattern.compile("<" + name + ">([^<]*)</" + name + ">").matcher(text);
        return matcher.find() ? matcher.group(1).trim() : "not set";
    }
}
