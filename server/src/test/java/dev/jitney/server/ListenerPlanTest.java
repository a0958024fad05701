package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.listener.SharedPort;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.tls.Tls;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ListenerPlanTest {

    @Test
    @DisplayName("By default 5672 and 5300 serve all protocols, and with a certificate also TLS")
    void byDefault() {
        assertThat(options().options().listeners())
                .isEqualTo(plan(
                        new SharedPort(5672, true, true, false, false),
                        new SharedPort(5300, true, true, false, false)));
        assertThat(options().tls(Tls.auto()).options().listeners().shared())
                .containsExactly(
                        new SharedPort(5672, true, true, true, true), new SharedPort(5300, true, true, true, true));
    }

    @Test
    @DisplayName(
            "With TLS and access for other machines, ports serve only TLS, and the plan has the options for the others")
    void exposed() {
        ListenerPlan plan = options().host("0.0.0.0").tls(Tls.auto()).options().listeners();
        assertThat(plan.shared())
                .containsExactly(
                        new SharedPort(5672, false, false, true, true), new SharedPort(5300, false, false, true, true));
        assertThat(plan.leftOut()).containsExactly("--port 5672,5300", "--amqp-port 5672", "--http-port 5672");
        assertThat(options()
                        .host("0.0.0.0")
                        .tls(Tls.auto())
                        .ports(List.of(5672, 5300))
                        .amqpPort(5672)
                        .httpPort(5672)
                        .options()
                        .listeners())
                .as("what it tells")
                .isEqualTo(plan(
                        new SharedPort(5672, true, true, true, true), new SharedPort(5300, false, false, true, true)));
    }

    @Test
    @DisplayName(
            "An option for one protocol separates the ports: the other protocols without TLS get their usual ports")
    void separate() {
        assertThat(options().amqpPort(6000).options().listeners())
                .isEqualTo(new ListenerPlan(List.of(), 6000, 5300, null, null, List.of()));
        assertThat(options().plainHttp(PlainPort.OFF).options().listeners())
                .isEqualTo(new ListenerPlan(List.of(), 5672, null, null, null, List.of()));
        assertThat(options().httpsPort(443).tls(Tls.auto()).options().listeners())
                .isEqualTo(new ListenerPlan(List.of(), 5672, 5300, null, 443, List.of()));
    }

    @Test
    @DisplayName("A port for all protocols may be used together with ports for one protocol, and serves no"
            + " protocol that is off")
    void both() {
        assertThat(options().port(5672).httpPort(8080).options().listeners())
                .isEqualTo(new ListenerPlan(
                        List.of(new SharedPort(5672, true, true, false, false)), null, 8080, null, null, List.of()));
        assertThat(options()
                        .port(5672)
                        .plainHttp(PlainPort.OFF)
                        .tls(Tls.auto())
                        .options()
                        .listeners())
                .isEqualTo(plan(new SharedPort(5672, true, false, true, true)));
        assertThat(options()
                        .ports(List.of(1, 2))
                        .plainHttp(PlainPort.OFF)
                        .options()
                        .listeners())
                .as("one protocol is left, on both ports")
                .isEqualTo(new ListenerPlan(
                        List.of(new SharedPort(2, true, false, false, false)), 1, null, null, null, List.of()));
    }

    @Test
    @DisplayName("The same number in several options is one port; each 0 is another port")
    void sameNumber() {
        assertThat(options().amqpPort(7777).httpPort(7777).options().listeners())
                .isEqualTo(plan(new SharedPort(7777, true, true, false, false)));
        assertThat(options().ports(List.of(0, 0)).options().listeners().shared())
                .hasSize(2);
        assertThat(options().ports(List.of(9, 9)).options().listeners().shared())
                .hasSize(1);
    }

    private static ListenerPlan plan(SharedPort... shared) {
        return new ListenerPlan(List.of(shared), null, null, null, null, List.of());
    }

    private static JitneyServerBuilder options() {
        return JitneyServer.builder().dataDir(Path.of("none"));
    }
}
