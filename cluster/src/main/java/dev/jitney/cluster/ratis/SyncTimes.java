package dev.jitney.cluster.ratis;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * The metrics of Ratis in this process. Ratis does not run without an implementation, which it loads as a service. This one keeps
 * one figure, the duration of each sync of the log (CL-82). All others are dropped, because Jitney does not read them, and they take
 * processor time for each append.
 *
 * <p>Any thread may call it.
 */
public final class SyncTimes extends MetricRegistries {
    /** The name that Ratis gives to the timer around each sync. */
    private static final String SYNC_TIME = "syncTime";

    private static final Map<String, LongConsumer> RECEIVERS = new ConcurrentHashMap<>();
    private static final Timekeeper.Context NOT_MEASURED = () -> 0;

    /**
     * Sends the duration of each sync of a member's log to a receiver, in nanoseconds. Call it before the server is made.
     *
     * @param member the id of the member in its group, as Ratis writes it
     */
    static void receive(String member, LongConsumer receiver) {
        RECEIVERS.put(member, receiver);
    }

    /** Ends what {@link #receive} began. */
    static void end(String member, LongConsumer receiver) {
        RECEIVERS.remove(member, receiver);
    }

    @Override
    public RatisMetricRegistry create(MetricRegistryInfo info) {
        return new Registry(info);
    }

    @Override
    public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
        return Optional.empty();
    }

    @Override
    public boolean remove(MetricRegistryInfo key) {
        return false;
    }

    @Override
    public void clear() {}

    @Override
    public Set<MetricRegistryInfo> getMetricRegistryInfos() {
        return Set.of();
    }

    @Override
    public Collection<RatisMetricRegistry> getMetricRegistries() {
        return List.of();
    }

    @Override
    public void addReporterRegistration(
            Consumer<RatisMetricRegistry> reporterRegistration, Consumer<RatisMetricRegistry> stopReporter) {}

    @Override
    public void enableJmxReporter() {}

    @Override
    public void enableConsoleReporter(TimeDuration consoleReportRate) {}

    /** The metrics of one part of a member. */
    private record Registry(MetricRegistryInfo info) implements RatisMetricRegistry {
        @Override
        public Timekeeper timer(String name) {
            LongConsumer receiver = name.equals(SYNC_TIME) ? RECEIVERS.get(info.getPrefix()) : null;
            if (receiver == null) {
                return () -> NOT_MEASURED;
            }
            return () -> {
                long begun = System.nanoTime();
                return () -> {
                    long took = System.nanoTime() - begun;
                    receiver.accept(took);
                    return took;
                };
            };
        }

        @Override
        public LongCounter counter(String name) {
            return NotCounted.INSTANCE;
        }

        @Override
        public boolean remove(String name) {
            return false;
        }

        @Override
        public <T> void gauge(String name, Supplier<Supplier<T>> gaugeSupplier) {}

        @Override
        public MetricRegistryInfo getMetricRegistryInfo() {
            return info;
        }
    }

    /** A counter that counts nothing. */
    private enum NotCounted implements LongCounter {
        INSTANCE;

        @Override
        public void inc(long n) {}

        @Override
        public void dec(long n) {}

        @Override
        public long getCount() {
            return 0;
        }
    }
}
