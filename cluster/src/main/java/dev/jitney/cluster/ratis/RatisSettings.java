package dev.jitney.cluster.ratis;

import dev.jitney.runtime.security.TlsSuites;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SupportedCipherSuiteFilter;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of Ratis on a node. The defaults of Ratis are for small metadata and short elections; docs/adr/0029 has the
 * reason for each value. All nodes of a cluster must have the same shortest election timeout, because leases depend on it
 * (CL-9).
 *
 * @param directory  directory of the log
 * @param bindHost   address to listen on, null for all addresses
 * @param port       port to listen on
 * @param electionMs shortest election timeout in milliseconds, {@value #ELECTION_MS_MIN} to {@value #ELECTION_MS_MAX}
 * @param logBytesMax size of the log to keep for members that lag, in bytes (CL-41)
 * @param tls        the certificates of connections between members, or null for connections without TLS (CL-70)
 */
public record RatisSettings(
        Path directory,
        @Nullable String bindHost,
        int port,
        int electionMs,
        long logBytesMax,
        @Nullable ClusterTls tls) {
    /** The shortest election timeout for tests on a machine that is not busy, milliseconds. */
    public static final int ELECTION_MS_MIN = 100;

    /** The longest of the shortest election timeouts, milliseconds. */
    public static final int ELECTION_MS_MAX = 60_000;

    /** The part of the shortest election timeout during which the answers of a majority are a lease (CL-9). */
    public static final double LEASE_RATIO = 0.9;

    /** Longer than the way of an entry over a busy disk: each append is synced before it is answered. */
    private static final int REQUEST_TIMEOUT_ELECTIONS = 2;

    private static final List<String> TLS_VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    private static final SizeInBytes MIB_4 = SizeInBytes.valueOf(4L << 20);
    private static final SizeInBytes MIB_8 = SizeInBytes.valueOf(8L << 20);
    private static final SizeInBytes MIB_16 = SizeInBytes.valueOf(16L << 20);
    private static final SizeInBytes MIB_32 = SizeInBytes.valueOf(32L << 20);
    private static final SizeInBytes MIB_64 = SizeInBytes.valueOf(64L << 20);

    /** The largest append, and the largest entry that Ratis takes. */
    static final SizeInBytes APPEND_MAX = MIB_4;

    /** Makes settings without TLS. */
    public RatisSettings(Path directory, @Nullable String bindHost, int port, int electionMs, long logBytesMax) {
        this(directory, bindHost, port, electionMs, logBytesMax, null);
    }

    public RatisSettings {
        if (electionMs < ELECTION_MS_MIN || electionMs > ELECTION_MS_MAX) {
            throw new IllegalArgumentException("Expected an election timeout of " + ELECTION_MS_MIN + " to "
                    + ELECTION_MS_MAX + " ms, but got " + electionMs + ".");
        }
    }

    /** Returns the longest election timeout, milliseconds. Timeouts are random between the shortest and this one. */
    public int electionMaxMs() {
        return electionMs * 8 / 5;
    }

    /** Returns the time for which the answer of a majority is a lease, milliseconds. */
    public long leaseMs() {
        return (long) (electionMs * LEASE_RATIO);
    }

    /** Returns the properties of the server. */
    RaftProperties properties() {
        RaftProperties to = new RaftProperties();
        RaftConfigKeys.Rpc.setType(to, SupportedRpcType.GRPC);
        RaftServerConfigKeys.setStorageDir(to, List.of(directory.toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                to, directory.resolve("removed").toFile());
        // The leader's additions of members may take as long as a checkpoint; three elections are the default.
        RaftServerConfigKeys.setStagingTimeout(to, TimeDuration.valueOf(5, TimeUnit.MINUTES));
        elections(to);
        log(to);
        sending(to);
        requests(to);
        network(to);
        return to;
    }

    private void elections(RaftProperties to) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(to, ms(electionMs));
        RaftServerConfigKeys.Rpc.setTimeoutMax(to, ms(electionMaxMs()));
        // The first election of a process: there is no leader yet, or the leader's next heartbeat arrives sooner.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(to, ms(electionMs * 3 / 10));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(to, ms(electionMs * 6 / 10));
        RaftServerConfigKeys.Rpc.setRequestTimeout(to, ms(REQUEST_TIMEOUT_ELECTIONS * electionMaxMs()));
        RaftServerConfigKeys.Rpc.setSlownessTimeout(to, TimeDuration.valueOf(30, TimeUnit.SECONDS));
        // A leader without a majority, or one that was frozen, must stop soon (CL-12).
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(to, ms(electionMaxMs()));
        RaftServerConfigKeys.LeaderElection.setPreVote(to, true);
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(to, false); // CL-55
        RaftServerConfigKeys.Read.setOption(to, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(to, true);
        RaftServerConfigKeys.Read.setLeaderLeaseTimeoutRatio(to, LEASE_RATIO);
    }

    /** Returns the size of a log file: the log shrinks by whole files, so it has at least eight unless it is very small. */
    private SizeInBytes segmentBytes() {
        return SizeInBytes.valueOf(Math.max(MIB_4.getSize(), Math.min(MIB_32.getSize(), logBytesMax / 8)));
    }

    private void log(RaftProperties to) {
        Log.setSegmentSizeMax(to, segmentBytes());
        Log.setPreallocatedSize(to, SizeInBytes.valueOf(64L << 10));
        Log.setWriteBufferSize(to, MIB_8);
        Log.setSegmentCacheNumMax(to, 2);
        Log.setSegmentCacheSizeMax(to, MIB_64);
        Log.setForceSyncNum(to, 128);
        Log.setUnsafeFlushEnabled(to, false); // CL-1
        // Otherwise Ratis logs the commit index behind each entry, as an entry of its own, with one more sync on each
        // node.
        Log.setLogMetadataEnabled(to, false);
        Log.setAsyncFlushEnabled(to, false); // CL-1
        // Otherwise Ratis 3.3.0 acknowledges entries that it drops: of two requests that begin with the same entry, it
        // appends only the first one, and answers the second one as if it had appended that too (CL-1).
        Log.setAppendEntriesComposeEnabled(to, false);
        Log.setCorruptionPolicy(to, Log.CorruptionPolicy.EXCEPTION); // CL-42
        // LogFiles decides what is kept for members that lag, by whole files (CL-41). An absent member holds nothing.
        Log.setPurgeUptoSnapshotIndex(to, true);
        Log.setPurgeGap(to, 1);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(to, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(to, false);
    }

    private void sending(RaftProperties to) {
        Log.Appender.setBufferByteLimit(to, APPEND_MAX);
        Log.Appender.setWaitTimeMin(to, TimeDuration.ZERO);
        Log.Appender.setInstallSnapshotEnabled(to, false); // notification mode
        // Pauses after errors, while a member is away, with their numbers. By default they grow to 5 s. A member that
        // is back
        // would then get no heartbeat for longer than an election timeout, and would lose the leader again and again.
        Log.Appender.setRetryPolicy(
                to, "1ms,10, " + electionMs / 10 + "ms,20, " + electionMs / 4 + "ms," + Integer.MAX_VALUE);
        GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(to, 8);
        GrpcConfigKeys.Server.setHeartbeatChannel(to, true);
    }

    private static void requests(RaftProperties to) {
        RaftServerConfigKeys.Write.setByteLimit(to, MIB_64);
        RaftServerConfigKeys.Write.setElementLimit(to, 4096);
        // Requests come from this process and are never repeated.
        RaftServerConfigKeys.RetryCache.setExpiryTime(to, TimeDuration.valueOf(2, TimeUnit.SECONDS));
    }

    private void network(RaftProperties to) {
        GrpcConfigKeys.setMessageSizeMax(to, MIB_16);
        GrpcConfigKeys.setFlowControlWindow(to, MIB_8);
        GrpcConfigKeys.Server.setPort(to, port);
        if (bindHost != null) {
            GrpcConfigKeys.Server.setHost(to, bindHost);
        }
        if (tls != null) {
            // Event loops of this server, because RaftListener replaces the listener of gRPC.
            GrpcConfigKeys.Server.setBossGroupSize(to, 1);
            GrpcConfigKeys.Server.setWorkerGroupSize(
                    to, 2 * Runtime.getRuntime().availableProcessors());
        }
    }

    /**
     * Returns the objects of the server that have no text form.
     *
     * @param identity    the identity of this node
     * @param syncedIndex returns the last entry of the log that is synced to disk; any thread calls it
     */
    Parameters parameters(String identity, LongSupplier syncedIndex) {
        Parameters parameters = new Parameters();
        // The interceptor that is added last is called first.
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, (builder, types) -> {
            if (tls != null) {
                RaftListener.bound(builder);
            }
            return builder.intercept(new MembersOnly(identity)).intercept(new DurableAcknowledgments(syncedIndex));
        });
        if (tls != null) {
            // The general setting is that of all services: members, clients and administrators.
            GrpcConfigKeys.TLS.setConf(parameters, mutual(tls));
        }
        return parameters;
    }

    /**
     * Returns settings in which both sides show a certificate. gRPC compares the certificate of a server with the host of its
     * address.
     */
    private static GrpcTlsConfig mutual(ClusterTls tls) {
        return GrpcTlsConfig.newBuilder()
                .setKeyManager(tls.keys())
                .setTrustManager(tls.members())
                .setMutualTls(true)
                // The engine of the JDK needs no native library.
                .setSslProvider(SslProvider.JDK)
                .setProtocols(TLS_VERSIONS)
                .setCipherSuites(TlsSuites.accepted())
                .setCipherSuiteFilter(SupportedCipherSuiteFilter.INSTANCE)
                .build();
    }

    private static TimeDuration ms(int value) {
        return TimeDuration.valueOf(value, TimeUnit.MILLISECONDS);
    }
}
