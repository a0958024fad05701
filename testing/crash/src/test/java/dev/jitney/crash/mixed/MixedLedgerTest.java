package dev.jitney.crash.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.mixed.MixedLedger.Arrival;
import dev.jitney.crash.mixed.MixedLedger.Delivery;
import dev.jitney.crash.mixed.MixedLedger.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the ledger finds violations and accepts the allowed effects of kills. */
final class MixedLedgerTest {
    private final MixedLedger tomb = new MixedLedger("tomb", null);
    private final MixedLedger ledger = new MixedLedger("queue", null);
    private final MixedLedger forwarding = new MixedLedger("forwarding", tomb);

    private static Arrival arrival(int number, long sequenceNumber) {
        return new Arrival(number, sequenceNumber, number, null, null);
    }

    private Delivery deliver(int number, long sequenceNumber) {
        Delivery delivery = ledger.delivered(Place.ACTIVE, arrival(number, sequenceNumber));
        assertThat(delivery).isNotNull();
        return delivery;
    }

    private static void settle(MixedLedger ledger, Delivery delivery, Place place) {
        ledger.ask(delivery, place);
        ledger.confirm(delivery);
    }

    private void send(int number, int copiesMin, int copiesMax) {
        ledger.sending(number);
        ledger.sent(number, copiesMin, copiesMax);
    }

    private void assertComplains(String what) {
        ledger.closeBooks();
        assertThat(ledger.complaints()).singleElement().asString().contains(what);
    }

    @Test
    void isContentWithWhatIsSentReceivedAndCompleted() {
        send(0, 1, 1);
        settle(ledger, deliver(0, 7), Place.GONE);
        assertThat(ledger.size()).isZero();
        ledger.closeBooks();
        assertThat(ledger.complaints()).isEmpty();
    }

    @Test
    void findsWhatIsLost() {
        send(0, 1, 2);
        assertComplains("Message 0 in queue is lost");
    }

    @Test
    void findsWhatWasReceivedAndIsLostBeforeAnybodySettledIt() {
        send(0, 1, 1);
        settle(ledger, deliver(0, 7), Place.ACTIVE);
        assertComplains("is lost: its copy with sequence number 7 was in [ACTIVE]");
    }

    @Test
    void doesNotMissWhatWasNotAcknowledged() {
        send(0, 0, 1);
        ledger.closeBooks();
        assertThat(ledger.complaints()).isEmpty();
    }

    @Test
    void findsWhatComesBack() {
        send(0, 1, 1);
        settle(ledger, deliver(0, 7), Place.GONE);
        assertThat(ledger.delivered(Place.ACTIVE, arrival(0, 7))).isNull();
        assertComplains("was delivered again after");
    }

    @Test
    void findsWhatComesBackAlthoughThereMayBeACopy() {
        send(0, 1, 2);
        settle(ledger, deliver(0, 7), Place.GONE);
        settle(ledger, deliver(0, 7), Place.GONE);
        assertComplains("was expected in [GONE], but was delivered from ACTIVE with sequence number 7");
    }

    @Test
    void findsWhatComesBackLongAfterTheBooksWereClosed() {
        send(0, 1, 2);
        settle(ledger, deliver(0, 7), Place.GONE);
        ledger.closeBooks();
        ledger.delivered(Place.ACTIVE, arrival(0, 9));
        assertComplains("was delivered again after");
    }

    @Test
    void takesACopyForEachKillThatTheSendMet() {
        send(0, 1, 2);
        settle(ledger, deliver(0, 7), Place.GONE);
        settle(ledger, deliver(0, 8), Place.GONE);
        assertThat(ledger.complaints()).isEmpty();
        deliver(0, 9);
        assertThat(ledger.complaints()).singleElement().asString().contains("exists 3 times");
    }

    @Test
    void findsACopyThatCameBeforeTheSendReturned() {
        ledger.sending(0);
        deliver(0, 7);
        deliver(0, 8);
        assertThat(ledger.complaints()).isEmpty();
        ledger.sent(0, 1, 1);
        assertThat(ledger.complaints()).singleElement().asString().contains("exists 2 times");
    }

    @Test
    void findsWhatNobodySent() {
        ledger.delivered(Place.ACTIVE, arrival(3, 1));
        assertComplains("was never sent");
    }

    @Test
    void knowsNothingOfASettlementWithoutAnAnswer() {
        send(0, 1, 1);
        ledger.ask(deliver(0, 7), Place.GONE);
        settle(ledger, deliver(0, 7), Place.GONE);
        send(1, 1, 1);
        ledger.ask(deliver(1, 8), Place.GONE);
        ledger.closeBooks();
        assertThat(ledger.complaints()).isEmpty();
    }

    @Test
    void findsADeadLetterInItsQueue() {
        send(0, 1, 1);
        settle(ledger, deliver(0, 7), Place.DEAD);
        ledger.ask(deliver(0, 7), Place.GONE);
        assertComplains("was expected in [DEAD], but was delivered from ACTIVE with sequence number 7");
    }

    @Test
    void knowsWhatFailsTooOften() {
        send(0, 1, 1);
        settle(ledger, deliver(0, 7), Place.ACTIVE);
        Delivery dead = ledger.delivered(Place.DEAD, new Arrival(0, 7, 0, "MaxDeliveryCountExceeded", null));
        assertThat(dead).isNotNull();
        settle(ledger, dead, Place.GONE);
        ledger.closeBooks();
        assertThat(ledger.complaints()).isEmpty();
    }

    @Test
    void findsTwoLocksThatBothSettle() {
        send(0, 1, 2);
        Delivery first = deliver(0, 7);
        ledger.ask(first, Place.GONE);
        settle(ledger, deliver(0, 7), Place.GONE);
        ledger.confirm(first);
        assertComplains("both deliveries were settled");
    }

    @Test
    void findsWhatWasCancelledInTime() {
        send(0, 1, 1);
        ledger.cancelling(0);
        ledger.cancelled(0);
        deliver(0, 7);
        assertThat(ledger.complaints()).singleElement().asString().contains("the maximum is 0");
    }

    @Test
    void findsWhatIsOutOfOrder() {
        send(0, 1, 1);
        send(1, 1, 1);
        settle(ledger, deliver(1, 7), Place.GONE);
        settle(ledger, deliver(0, 8), Place.GONE);
        assertComplains("is out of order");
    }

    @Test
    void acceptsALateCopyOnlyOfARepeatedCall() {
        MixedLedger relayed = new MixedLedger("relayed", null, true);
        for (int number = 0; number < 3; number++) {
            relayed.sending(number);
            relayed.sent(number, 1, number == 0 ? 2 : 1);
        }
        for (Arrival arrival : List.of(arrival(0, 7), arrival(2, 8), arrival(0, 9))) {
            Delivery delivery = relayed.delivered(Place.ACTIVE, arrival);
            assertThat(delivery).isNotNull();
            settle(relayed, delivery, Place.GONE);
        }
        Delivery late = relayed.delivered(Place.ACTIVE, arrival(1, 10));
        assertThat(late).isNotNull();
        settle(relayed, late, Place.GONE);
        relayed.closeBooks();
        assertThat(relayed.complaints()).singleElement().asString().contains("Message 1 in relayed is out of order");
    }

    @Test
    void forwardedDeadLettersComeOnce() {
        forwarding.sending(0);
        forwarding.sent(0, 1, 1);
        Delivery first = forwarding.delivered(Place.ACTIVE, arrival(0, 7));
        assertThat(first).isNotNull();
        forwarding.ask(first, Place.DEAD);
        // The reply is missing, and the settlement had no effect.
        Delivery second = forwarding.delivered(Place.ACTIVE, arrival(0, 7));
        assertThat(second).isNotNull();
        settle(forwarding, second, Place.DEAD);
        Delivery dead = tomb.delivered(Place.ACTIVE, arrival(0, 1));
        assertThat(dead).isNotNull();
        settle(tomb, dead, Place.GONE);
        assertThat(tomb.complaints()).isEmpty();
        tomb.delivered(Place.ACTIVE, arrival(0, 2));
        assertThat(tomb.complaints()).singleElement().asString().contains("exists 2 times");
    }

    @Test
    void findsForwardedDeadLettersThatAreLost() {
        forwarding.sending(0);
        forwarding.sent(0, 1, 1);
        Delivery delivery = forwarding.delivered(Place.ACTIVE, arrival(0, 7));
        assertThat(delivery).isNotNull();
        forwarding.ask(delivery, Place.DEAD);
        // The reply is missing, but the message left this queue.
        forwarding.closeBooks();
        tomb.closeBooks();
        assertThat(forwarding.complaints()).isEmpty();
        assertThat(tomb.complaints()).singleElement().asString().contains("is lost");
    }
}
