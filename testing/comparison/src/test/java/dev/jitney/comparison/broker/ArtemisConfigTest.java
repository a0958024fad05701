package dev.jitney.comparison.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The changes to the configuration that {@code artemis create} writes. */
final class ArtemisConfigTest {
    private static final Path DATA = Path.of("/data");
    private static final String CREATED = """
            <core>
              <persistence-enabled>true</persistence-enabled>
              <journal-type>NIO</journal-type>
              <paging-directory>data/paging</paging-directory>
              <bindings-directory>data/bindings</bindings-directory>
              <journal-directory>data/journal</journal-directory>
              <large-messages-directory>data/large-messages</large-messages-directory>
              <journal-datasync>true</journal-datasync>
              <journal-buffer-timeout>1156000</journal-buffer-timeout>
              <max-disk-usage>90</max-disk-usage>
              <acceptors>
                <acceptor name="artemis">tcp://127.0.0.1:61616?protocols=CORE,AMQP</acceptor>
                <acceptor name="amqp">tcp://127.0.0.1:5672?protocols=AMQP;amqpCredits=1000</acceptor>
              </acceptors>
              <addresses>
                <address name="ExpiryQueue"><anycast><queue name="ExpiryQueue"/></anycast></address>
              </addresses>
            </core>
            """;

    @Test
    void speaksAmqpOnlyOnThePortItIsGivenWithTheOptionsOfItsMaker() throws IOException {
        assertThat(ArtemisConfig.adapt(CREATED, DATA, 4711, new Entities(0, 0)))
                .contains("<acceptors><acceptor name=\"amqp\">tcp://127.0.0.1:4711?protocols=AMQP;amqpCredits=1000"
                        + "</acceptor></acceptors>")
                .doesNotContain("61616");
    }

    @Test
    void hasQueuesAndSubscriptionsAsAskedFor() throws IOException {
        assertThat(ArtemisConfig.adapt(CREATED, DATA, 1, new Entities(2, 2)))
                .contains("<address name=\"q0\"><anycast><queue name=\"q0\"/></anycast></address>")
                .contains("<address name=\"q1\"><anycast><queue name=\"q1\"/></anycast></address>")
                .contains(
                        "<address name=\"fan\"><multicast><queue name=\"s0\"/><queue name=\"s1\"/></multicast></address>")
                .contains("<address name=\"ready\">")
                .doesNotContain("ExpiryQueue");
    }

    @Test
    void keepsItsDataWhereItIsToldToAndIsNotStoppedByAFullDisk() throws IOException {
        assertThat(ArtemisConfig.adapt(CREATED, DATA, 1, new Entities(1, 0)))
                .contains("<journal-directory>/data/journal</journal-directory>")
                .contains("<paging-directory>/data/paging</paging-directory>")
                .contains("<max-disk-usage>-1</max-disk-usage>")
                .contains("<journal-buffer-timeout>1156000</journal-buffer-timeout>");
    }

    @Test
    void isNotComparedWithoutASyncedJournal() {
        String unsynced = CREATED.replace("<journal-datasync>true", "<journal-datasync>false");

        assertThatThrownBy(() -> ArtemisConfig.adapt(unsynced, DATA, 1, new Entities(1, 0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("synced journal");
    }

    @Test
    void tellsWhichJournalItsMakerChose() {
        assertThat(ArtemisConfig.settings(CREATED))
                .contains("`journal-type` NIO", "`journal-datasync` true", "`page-sync-timeout` not set");
    }
}
