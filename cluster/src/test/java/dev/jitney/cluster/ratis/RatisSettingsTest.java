package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.retry.MultipleLinearRandomRetry;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The settings of Ratis")
class RatisSettingsTest {
    private final RatisSettings settings = new RatisSettings(Path.of("raft"), "127.0.0.1", 7400, 1_000, 1L << 30);
    private final RaftProperties properties = settings.properties();

    @Test
    @DisplayName("follow the election timeout")
    void elections() {
        assertThat(RaftServerConfigKeys.Rpc.timeoutMin(properties).toLong(TimeUnit.MILLISECONDS))
                .isEqualTo(1_000);
        assertThat(RaftServerConfigKeys.Rpc.timeoutMax(properties).toLong(TimeUnit.MILLISECONDS))
                .isEqualTo(1_600);
        assertThat(RaftServerConfigKeys.Rpc.requestTimeout(properties).toLong(TimeUnit.MILLISECONDS))
                .isEqualTo(3_200);
        assertThat(RaftServerConfigKeys.LeaderElection.leaderStepDownWaitTime(properties)
                        .toLong(TimeUnit.MILLISECONDS))
                .isEqualTo(1_600);
        assertThat(RaftServerConfigKeys.Read.leaderLeaseEnabled(properties)).isTrue();
        assertThat(settings.leaseMs()).isEqualTo(900);
    }

    @Test
    @DisplayName("weaken no acknowledgment (CL-1, CL-10)")
    void syncs() {
        assertThat(RaftServerConfigKeys.Log.unsafeFlushEnabled(properties)).isFalse();
        assertThat(RaftServerConfigKeys.Log.asyncFlushEnabled(properties)).isFalse();
        assertThat(RaftServerConfigKeys.Log.useMemory(properties)).isFalse();
        assertThat(RaftServerConfigKeys.Log.corruptionPolicy(properties))
                .isEqualTo(RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        assertThat(RaftServerConfigKeys.LeaderElection.preVote(properties)).isTrue();
    }

    @Test
    @DisplayName("let followers fetch checkpoints by themselves, and bound what is under way (CL-40, CL-44)")
    void sends() {
        assertThat(RaftServerConfigKeys.Log.Appender.installSnapshotEnabled(properties))
                .isFalse();
        assertThat(RaftServerConfigKeys.Log.Appender.bufferByteLimit(properties).getSize())
                .isEqualTo(4L << 20);
        assertThat(GrpcConfigKeys.messageSizeMax(properties, text -> {}).getSize())
                .isEqualTo(16L << 20);
        assertThat(GrpcConfigKeys.Server.port(properties)).isEqualTo(7400);
        assertThat(GrpcConfigKeys.Server.host(properties)).isEqualTo("127.0.0.1");
        assertThat(RaftServerConfigKeys.Log.segmentSizeMax(properties).getSize())
                .isEqualTo(32L << 20);
    }

    @Test
    @DisplayName("let a leader reach a member that is back within an election timeout (CL-40)")
    void retries() {
        RetryPolicy policy = MultipleLinearRandomRetry.parseCommaSeparated(
                RaftServerConfigKeys.Log.Appender.retryPolicy(properties));
        for (int attempts : new int[] {0, 20, 100, 1_000_000}) {
            RetryPolicy.Action action = policy.handleAttemptFailure(() -> attempts);
            assertThat(action.shouldRetry()).isTrue();
            assertThat(action.getSleepTime().toLong(TimeUnit.MILLISECONDS)).isLessThan(1_000);
        }
    }

    @Test
    @DisplayName("refuse election timeouts that make no sense")
    void refuses() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RatisSettings(Path.of("raft"), null, 1, 50, 1));
    }
}
