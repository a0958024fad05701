package dev.jitney.benchmarks.sdk;

import dev.jitney.benchmarks.bench.LinkOptions;
import dev.jitney.benchmarks.bench.MessageOptions;
import dev.jitney.benchmarks.bench.OwnServer;
import dev.jitney.benchmarks.bench.OwnServerOptions;
import dev.jitney.benchmarks.bench.Terminal;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench sdk}: what an application reaches with the official Java SDK. */
@Command(
        name = "sdk",
        description = {
            "Sends and receives with the official Java SDK in the ways that applications use, and reports the rate, the"
                    + " processor time of this process and that of the server for each.",
            "It starts a server on a temporary directory and deletes the directory."
        })
public final class SdkCommand implements Callable<Integer> {
    private static final String QUEUE = "bench";
    private static final int AT_ONCE = 256;
    /** Divides the count of the ways that wait for each message. */
    private static final int SLOW = 10;

    private static final int COUNT_MIN = 100;

    @Mixin
    private Terminal terminal = new Terminal();

    @Mixin
    private MessageOptions message = new MessageOptions();

    @Mixin
    private LinkOptions links = new LinkOptions();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "30000",
            description =
                    "Number of messages for each way to send or receive; ways that wait for each message move a tenth"
                            + " (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--calls",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,16,64",
            description = "Concurrent calls of the processor, one run each (default: ${DEFAULT-VALUE}).")
    private List<Integer> calls = List.of();

    @Option(
            names = "--prefetch",
            paramLabel = "N",
            split = ",",
            defaultValue = "0,200",
            description = "Prefetch counts of the processor, one run each (default: ${DEFAULT-VALUE}).")
    private List<Integer> prefetch = List.of();

    @Mixin
    private OwnServerOptions ownServer = new OwnServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--count", count, COUNT_MIN);
        calls.forEach(each -> terminal.check("--calls", each, 1));
        prefetch.forEach(each -> terminal.check("--prefetch", each, 0));
        message.check(terminal);
        links.check(terminal);
        return terminal.attempt(this::measure);
    }

    private int measure() throws AmqpException, IOException, InterruptedException {
        List<String> queues = List.of(ConfigFile.queue(QUEUE, OwnServer.MAX_DELIVERY_COUNT));
        try (OwnServer own = ownServer.start(queues, List.of())) {
            SdkClient sdk = new SdkClient(
                    own.process().endpoint(), QUEUE, own.process().cost(), message.size(), message.properties());
            terminal.say("%-42s %10s %18s %18s", "", "messages/s", "client, µs/message", "server, µs/message");
            // Java compiles the code of both processes first.
            sdk.sendAsynchronously(count, AT_ONCE);
            sdk.process(count, AT_ONCE / 4, 0);
            say("send, one after the other", sdk.sendOneAfterTheOther(count / SLOW));
            say("send, 256 at once", sdk.sendAsynchronously(count, AT_ONCE));
            say("send, batches of 100", sdk.sendBatches(count));
            for (int ahead : prefetch) {
                for (int parallel : calls) {
                    int number = parallel == 1 ? count / SLOW * 2 : count;
                    fill(own, number);
                    say("process, " + parallel + " calls, prefetch " + ahead, sdk.process(number, parallel, ahead));
                }
            }
            fill(own, count);
            say("receiveMessages(100), complete each", sdk.receiveBatches(count / SLOW * 2));
            own.tellErrors(terminal);
            return 0;
        }
    }

    private void fill(OwnServer own, int number) throws AmqpException, IOException, InterruptedException {
        // A few more than are received, so that the last ones do not wait for an empty queue.
        own.run(
                        links.filling(
                                Routes.of(List.of(QUEUE)),
                                message.size(),
                                message.properties(),
                                number + AT_ONCE,
                                TimeUnit.MINUTES.toMillis(10)),
                        false)
                .measure();
    }

    private void say(String way, SdkFigure figure) {
        terminal.say(
                "%-42s %,10.0f %18.1f %18.1f", way, figure.perSecond(), figure.clientMicros(), figure.serverMicros());
    }
}
