package dev.jitney.crash.mixed;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusProcessorClientBuilder;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.crash.kill.Chains;
import dev.jitney.crash.kill.SessionLedger;
import dev.jitney.crash.mixed.MixedLedger.Place;
import dev.jitney.crash.mixed.MixedTraffic.Outlet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * All clients of the mixed crash test. They use the address of the server, and recover after each kill without help.
 * New clients can take over after a comparison, because the SDK keeps its closed connections in memory for a long time.
 */
public final class MixedClients implements AutoCloseable {
    private static final int CHAINS = 10;
    private static final int SESSION_RECEIVERS = 2;
    private static final MixedReceiving.Ways COMPLETES = new MixedReceiving.Ways(0, 0, 0, 0, true);
    private static final MixedReceiving.Ways IN_EVERY_WAY = new MixedReceiving.Ways(10, 5, 7, 2, true);
    /** Many retries with short delays: the SDK gives up only if the server does not return. */
    private static final AmqpRetryOptions RETRIES = new AmqpRetryOptions()
            .setMode(AmqpRetryMode.FIXED)
            .setDelay(Duration.ofMillis(50))
            .setMaxRetries(1_000)
            .setTryTimeout(Duration.ofSeconds(20));

    private final String connectionString;
    /** One connection for all senders, and another one for most receivers. They recover together. */
    private final ServiceBusClientBuilder senders;

    private final ServiceBusClientBuilder receivers;
    private final Kills kills;
    private final SdkErrors errors;
    private final Random random;
    private final boolean isRelayed;
    private final List<AutoCloseable> clients = new ArrayList<>();
    private final List<ServiceBusProcessorClient> processors = new ArrayList<>();
    private final List<MixedLedger> ledgers = new ArrayList<>();
    private final List<MixedTraffic> traffic = new ArrayList<>();
    private final List<MixedReceiving> receiving = new ArrayList<>();
    private final List<MixedSessions> sessions = new ArrayList<>();
    private final MixedTransactions transactions;
    /** The clients that must be halted during a comparison; {@link #others} are the other ones. */
    private final List<MixedLoop> sending = new ArrayList<>();

    private final List<MixedLoop> others = new ArrayList<>();
    private final MixedLoop transacting;
    private final Chains chains;
    private final List<SessionLedger> sessionLedgers;
    private final int generation;
    private final long sentBefore;
    private final long receivedBefore;

    /** Creates the first clients of one server. */
    public MixedClients(String connectionString, Kills kills, Random random) {
        this(connectionString, kills, random, false);
    }

    /**
     * Creates the first clients.
     *
     * @param isRelayed whether a node of a cluster may be frozen while it passes on what they send
     */
    public MixedClients(String connectionString, Kills kills, Random random, boolean isRelayed) {
        this(connectionString, kills, random, isRelayed, null);
    }

    private MixedClients(
            String connectionString, Kills kills, Random random, boolean isRelayed, @Nullable MixedClients before) {
        this.isRelayed = isRelayed;
        this.errors = before == null ? new SdkErrors() : before.errors;
        this.connectionString = connectionString;
        this.senders = builder();
        this.receivers = builder();
        this.kills = kills;
        this.random = random;
        this.chains = before == null ? new Chains(CHAINS) : before.chains;
        this.sessionLedgers = before == null
                ? MixedPlan.SESSIONS.stream()
                        .map(queue -> new SessionLedger(MixedSessions.SESSIONS))
                        .toList()
                : before.sessionLedgers;
        this.generation = before == null ? 0 : before.generation + 1;
        this.sentBefore = before == null ? 0 : before.sent();
        this.receivedBefore = before == null ? 0 : before.received();
        queue(MixedPlan.ORDERS, IN_EVERY_WAY, false);
        queue(MixedPlan.PARTS, new MixedReceiving.Ways(10, 5, 7, 2, false), true);
        once();
        chain();
        news();
        for (int i = 0; i < sessionLedgers.size(); i++) {
            sessions(MixedPlan.SESSIONS.get(i), sessionLedgers.get(i));
        }
        transactions = keep(new MixedTransactions(
                chains, builder().enableCrossEntityTransactions(), MixedPlan.LEDGERS, random.nextLong()));
        transacting = new MixedLoop("transactions", 1, errors, transactions::step);
    }

    /**
     * Closes these clients, whose ledgers were compared, and returns new ones that continue at the same numbers. They
     * are not started.
     */
    public MixedClients renew() throws Exception {
        close();
        Schedulers.shutdownNow(); // removes the token timers, which keep closed connections in memory
        return new MixedClients(connectionString, kills, random, isRelayed, this);
    }

    private ServiceBusClientBuilder builder() {
        return new ServiceBusClientBuilder().connectionString(connectionString).retryOptions(RETRIES);
    }

    private <T extends AutoCloseable> T keep(T client) {
        clients.add(client);
        return client;
    }

    private MixedLedger ledger(String name) {
        MixedLedger ledger = new MixedLedger(name, null, isRelayed);
        ledgers.add(ledger);
        return ledger;
    }

    /** Returns messages with unique names, so that receivers recognize messages of other generations. */
    private MixedMessages messages(String sender, boolean keys) {
        return new MixedMessages(sender + "-" + generation, keys);
    }

    /** Adds clients that send in every way, including scheduled messages, and receive in every way. */
    private void queue(String name, MixedReceiving.Ways ways, boolean isPartitioned) {
        MixedLedger ledger = ledger(name);
        MixedMessages messages = messages(name, isPartitioned);
        send(name, messages, new MixedTraffic.Ways(true, false), List.of(new Outlet(ledger, number -> true)));
        MixedReceiving all = receiving(ledger, messages, ways);
        process(all, receivers.processor().queueName(name), Place.ACTIVE);
        process(all, receivers.processor().queueName(name).subQueue(SubQueue.DEAD_LETTER_QUEUE), Place.DEAD);
        ServiceBusReceiverClient byNumber =
                keep(receivers.receiver().queueName(name).buildClient());
        others.add(new MixedLoop("deferred-" + name, 20, errors, () -> all.fetchDeferred(byNumber)));
    }

    private void once() {
        MixedLedger ledger = ledger(MixedPlan.ONCE);
        MixedMessages messages = messages(MixedPlan.ONCE, false);
        send(MixedPlan.ONCE, messages, new MixedTraffic.Ways(false, true), List.of(new Outlet(ledger, number -> true)));
        MixedReceiving all = receiving(ledger, messages, COMPLETES);
        ServiceBusReceiverClient receiver = keep(receivers
                .receiver()
                .queueName(MixedPlan.ONCE)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient());
        others.add(new MixedLoop("pull-" + MixedPlan.ONCE, 1, errors, () -> all.pull(receiver)));
    }

    /**
     * Adds clients of the chain. Messages sent to its first queue arrive in its last, and some of them then go to the
     * queue for dead letters.
     */
    private void chain() {
        String first = MixedPlan.CHAIN.get(0);
        String last = MixedPlan.CHAIN.get(MixedPlan.CHAIN.size() - 1);
        MixedLedger tomb = new MixedLedger(MixedPlan.TOMB, null, isRelayed);
        MixedLedger end = new MixedLedger(last, tomb, isRelayed);
        ledgers.addAll(List.of(end, tomb)); // in the order in which they are compared
        MixedMessages messages = messages(first, false);
        send(first, messages, new MixedTraffic.Ways(false, false), List.of(new Outlet(end, number -> true)));
        process(
                receiving(end, messages, new MixedReceiving.Ways(5, 0, 25, 1, true)),
                receivers.processor().queueName(last),
                Place.ACTIVE);
        process(
                receiving(tomb, messages, new MixedReceiving.Ways(0, 0, 0, 0, false)),
                receivers.processor().queueName(MixedPlan.TOMB),
                Place.ACTIVE);
    }

    private void news() {
        MixedLedger everything = ledger(MixedPlan.EVERYTHING);
        MixedLedger red = ledger(MixedPlan.RED);
        MixedLedger odd = ledger(MixedPlan.ODD);
        MixedLedger clippings = ledger(MixedPlan.CLIPPINGS);
        MixedMessages messages = messages(MixedPlan.NEWS, false);
        send(
                keep(senders.sender().topicName(MixedPlan.NEWS).buildClient()),
                MixedPlan.NEWS,
                messages,
                new MixedTraffic.Ways(true, false),
                List.of(
                        new Outlet(everything, number -> true),
                        new Outlet(red, number -> MixedMessages.colour(number).equals("red")),
                        new Outlet(odd, number -> number % 2 == 1),
                        new Outlet(clippings, number -> true)));
        MixedReceiving all = receiving(everything, messages, IN_EVERY_WAY);
        process(all, subscribed(MixedPlan.EVERYTHING), Place.ACTIVE);
        process(all, subscribed(MixedPlan.EVERYTHING).subQueue(SubQueue.DEAD_LETTER_QUEUE), Place.DEAD);
        ServiceBusReceiverClient byNumber = keep(receivers
                .receiver()
                .topicName(MixedPlan.NEWS)
                .subscriptionName(MixedPlan.EVERYTHING)
                .buildClient());
        others.add(new MixedLoop("deferred-" + MixedPlan.EVERYTHING, 20, errors, () -> all.fetchDeferred(byNumber)));
        process(receiving(red, messages, COMPLETES), subscribed(MixedPlan.RED), Place.ACTIVE);
        process(receiving(odd, messages, COMPLETES), subscribed(MixedPlan.ODD), Place.ACTIVE);
        process(
                receiving(clippings, messages, COMPLETES),
                receivers.processor().queueName(MixedPlan.CLIPPINGS),
                Place.ACTIVE);
    }

    private ServiceBusProcessorClientBuilder subscribed(String subscription) {
        return receivers.processor().topicName(MixedPlan.NEWS).subscriptionName(subscription);
    }

    private void sessions(String queue, SessionLedger ledger) {
        MixedSessions all = new MixedSessions(ledger, random.nextLong());
        sessions.add(all);
        ServiceBusSenderClient sender = keep(senders.sender().queueName(queue).buildClient());
        sending.add(new MixedLoop("send-" + queue, 1, errors, () -> all.send(sender)));
        for (int i = 0; i < SESSION_RECEIVERS; i++) {
            // Each receiver has its own connection, so that it does not get the replies for another session.
            ServiceBusSessionReceiverClient receiver = keep(builder()
                    .sessionReceiver()
                    .queueName(queue)
                    .disableAutoComplete()
                    .maxAutoLockRenewDuration(Duration.ZERO)
                    .buildClient());
            others.add(new MixedLoop(queue + "-" + i, 1, errors, () -> all.receive(receiver)));
        }
    }

    private void send(String queue, MixedMessages messages, MixedTraffic.Ways ways, List<Outlet> outlets) {
        send(keep(senders.sender().queueName(queue).buildClient()), queue, messages, ways, outlets);
    }

    private void send(
            ServiceBusSenderClient sender,
            String name,
            MixedMessages messages,
            MixedTraffic.Ways ways,
            List<Outlet> outlets) {
        MixedTraffic one = new MixedTraffic(sender, messages, ways, outlets, kills, errors, random.nextLong());
        traffic.add(one);
        sending.add(new MixedLoop("send-" + name, 1, errors, one::step));
    }

    private MixedReceiving receiving(MixedLedger ledger, MixedMessages messages, MixedReceiving.Ways ways) {
        MixedReceiving one = new MixedReceiving(ledger, messages, ways, kills, errors, random.nextLong());
        receiving.add(one);
        return one;
    }

    private void process(MixedReceiving all, ServiceBusProcessorClientBuilder builder, Place place) {
        processors.add(keep(all.processor(builder, place)));
    }

    /** Starts the clients. The server must run and must not be killed during this call. */
    public void start() {
        if (generation == 0) {
            transactions.begin();
        }
        processors.forEach(ServiceBusProcessorClient::start);
        loops().forEach(MixedLoop::start);
    }

    private List<MixedLoop> loops() {
        return Stream.of(sending, others, List.of(transacting))
                .flatMap(List::stream)
                .toList();
    }

    /** Ends all sessions. Called before and after a kill. */
    public void endHolds() {
        sessionLedgers.forEach(SessionLedger::endHolds);
    }

    /** Returns the number of successful steps of each sender and of transactions. */
    public int[] progress() {
        return producers().mapToInt(MixedLoop::successes).toArray();
    }

    /**
     * Returns the names of the senders without a successful step, and where their threads, those of receivers and those of the SDK are. A
     * sender waits for receivers when too many messages are stored. All timers of the SDK share a few threads.
     *
     * @param before an earlier {@link #progress}
     */
    public String stuck(int[] before) {
        List<MixedLoop> loops = producers().toList();
        Stream<MixedLoop> still = IntStream.range(0, before.length)
                .filter(i -> loops.get(i).successes() <= before[i])
                .mapToObj(loops::get);
        Stream<String> processors = Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("parallel-")
                        || Stream.of(thread.getValue())
                                .map(StackTraceElement::getClassName)
                                .anyMatch(name ->
                                        name.equals(MixedReceiving.class.getName()) || name.startsWith("com.azure.")))
                .map(thread -> MixedLoop.whereabouts(thread.getKey()));
        return Stream.concat(Stream.concat(still, others.stream()).map(MixedLoop::whereabouts), processors)
                .collect(Collectors.joining("\n"));
    }

    private Stream<MixedLoop> producers() {
        return Stream.concat(sending.stream(), Stream.of(transacting));
    }

    /**
     * Makes receivers complete all messages from now on. Call it while no server runs and before a drain: a message
     * held by a receiver would otherwise remain in its queue for a lock duration.
     */
    public void holdNothing() {
        receiving.forEach(MixedReceiving::drain);
    }

    /** Stops all senders and completes all messages. Returns when no call is in progress. */
    public void drain() throws InterruptedException {
        holdNothing();
        for (MixedLoop loop : sending) {
            loop.halt();
        }
        transacting.halt();
    }

    /** Compares the ledgers, when the queues contain only the messages of transactions. */
    public void closeBooks() {
        traffic.forEach(MixedTraffic::closeBooks);
        ledgers.forEach(MixedLedger::closeBooks);
        sessionLedgers.forEach(ledger -> ledger.compare(List.of()));
    }

    public Chains chains() {
        return chains;
    }

    public List<String> complaints() {
        return Stream.of(
                        ledgers.stream().map(MixedLedger::complaints),
                        sessionLedgers.stream().map(SessionLedger::complaints),
                        Stream.of(chains.complaints()))
                .flatMap(all -> all)
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the number of messages whose sends succeeded, without transactions. */
    public long sent() {
        return sentBefore
                + traffic.stream().mapToLong(MixedTraffic::sent).sum()
                + sessions.stream().mapToLong(MixedSessions::sent).sum();
    }

    /** Returns the number of deliveries, without transactions. A message may have several deliveries. */
    public long received() {
        return receivedBefore
                + ledgers.stream().mapToLong(MixedLedger::delivered).sum()
                + sessions.stream().mapToLong(MixedSessions::received).sum();
    }

    /** Returns the errors that the SDK has passed on to its callers. */
    public SdkErrors errors() {
        return errors;
    }

    /** Returns the number of failed calls and the last failure of each client, for error reports. */
    public String failures() {
        StringBuilder text = new StringBuilder();
        for (MixedLoop loop : loops()) {
            text.append("%n%s: %d steps succeeded, %d failed %s"
                    .formatted(loop.name(), loop.successes(), loop.failures(), loop.lastFailure()));
        }
        for (MixedReceiving each : receiving) {
            text.append("%nreceiver of %s: %d calls failed, %d messages given back %s"
                    .formatted(each.name(), each.failures(), each.givenBack(), each.lastFailure()));
        }
        return text.toString();
    }

    @Override
    public void close() throws Exception {
        for (MixedLoop loop : loops()) {
            loop.close();
        }
        for (AutoCloseable client : clients) {
            client.close();
        }
    }
}
