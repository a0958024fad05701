package dev.jitney.crash.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.forward.RouteLedger.Seen;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the ledger of {@link ForwardKillTest} finds violations. Each test adds one to the messages that are found. */
final class RouteLedgerTest {
    private static final String ASIDE = "x0/$Transfer/$DeadLetterQueue";
    private static final String GONE = "MessagingEntityNotFoundException";

    private final RouteLedger chain = new RouteLedger(route("long"));
    private final RouteLedger fleeting = new RouteLedger(route("fleeting"));

    private static Route route(String name) {
        return ForwardPlan.routes().stream()
                .filter(route -> route.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @BeforeEach
    void acceptFour() {
        for (RouteLedger ledger : List.of(chain, fleeting)) {
            for (int i = 1; i <= 4; i++) {
                ledger.sent("s:" + i);
                ledger.accepted("s:" + i);
            }
        }
    }

    private static Seen seen(int number, String place, @Nullable String reason) {
        return new Seen("s:" + number, place, 10L + number, reason);
    }

    private static List<Seen> allFour() {
        List<Seen> all = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            all.add(seen(i, "a4", null));
        }
        return all;
    }

    private void assertComplaint(RouteLedger ledger, String... words) {
        assertThat(ledger.complaints()).hasSize(1);
        assertThat(ledger.complaints().get(0)).contains(words);
    }

    @Test
    void saysNothingWhenAllIsWell() {
        chain.compare(allFour());
        allFour().forEach(message -> chain.taken(message.messageId()));
        chain.compare(List.of());
        assertThat(chain.complaints()).isEmpty();
        assertThat(chain.size()).isZero();
    }

    @Test
    void noticesAnAcceptedMessageThatIsGone() {
        List<Seen> found = allFour();
        found.remove(2);
        chain.compare(found);
        assertComplaint(chain, "s:3 is lost");
    }

    @Test
    void noticesAMessageThatIsThereTwice() {
        List<Seen> found = allFour();
        found.add(new Seen("s:2", "a4", 15, null));
        chain.compare(found);
        assertThat(chain.complaints()).anyMatch(complaint -> complaint.contains("s:2 exists twice"));
    }

    @Test
    void noticesAMessageInTwoPlaces() {
        fleeting.compare(List.of(
                seen(1, ForwardPlan.FLEETING, null),
                seen(2, ForwardPlan.FLEETING, null),
                seen(3, ForwardPlan.FLEETING, null),
                seen(4, ForwardPlan.FLEETING, null),
                seen(4, ASIDE, GONE)));
        assertComplaint(fleeting, "s:4 exists twice", ForwardPlan.FLEETING, ASIDE);
    }

    @Test
    void noticesAMessageThatComesBack() {
        chain.compare(allFour());
        chain.taken("s:1");
        chain.compare(allFour());
        assertComplaint(chain, "s:1 is in a4, but was removed or never sent");
    }

    @Test
    void noticesAMessageThatIsDeliveredTwice() {
        chain.delivered(seen(1, "a4", null));
        chain.delivered(new Seen("s:1", "a4", 12, null));
        assertThat(chain.complaints()).anyMatch(complaint -> complaint.contains("s:1 was delivered twice"));
    }

    @Test
    void noticesAMessageThatOvertookAnother() {
        List<Seen> found = allFour();
        found.set(3, new Seen("s:4", "a4", 11, null));
        found.set(0, new Seen("s:1", "a4", 14, null));
        chain.compare(found);
        assertThat(chain.complaints()).isNotEmpty().allMatch(complaint -> complaint.contains("has sequence number"));
    }

    @Test
    void noticesAMessageThatStrayed() {
        List<Seen> found = allFour();
        found.set(1, seen(2, "a0/$Transfer/$DeadLetterQueue", GONE));
        chain.compare(found);
        assertComplaint(chain, "which is not a place of the route");
    }

    @Test
    void noticesAWrongReason() {
        fleeting.delivered(seen(1, ASIDE, "MaxTransferHopCountExceeded"));
        assertComplaint(fleeting, "with the unexpected dead-letter reason MaxTransferHopCountExceeded");
    }

    @Test
    void letsMessagesGoWithTheEntityTheyMayBeIn() {
        fleeting.compare(List.of(
                seen(1, ASIDE, GONE),
                seen(2, ForwardPlan.FLEETING, null),
                seen(3, ForwardPlan.FLEETING, null),
                seen(4, ForwardPlan.FLEETING, null)));
        fleeting.deleting(ForwardPlan.FLEETING);
        fleeting.deleted();
        fleeting.sent("s:5");
        fleeting.accepted("s:5");
        fleeting.compare(List.of(seen(1, ASIDE, GONE), seen(5, ASIDE, GONE)));
        assertThat(fleeting.complaints()).isEmpty();
        assertThat(fleeting.size()).isEqualTo(2);
    }

    @Test
    void doesNotLetMessagesGoThatCannotHaveBeenInIt() {
        fleeting.compare(List.of(
                seen(1, ASIDE, GONE),
                seen(2, ForwardPlan.FLEETING, null),
                seen(3, ForwardPlan.FLEETING, null),
                seen(4, ForwardPlan.FLEETING, null)));
        fleeting.deleting(ForwardPlan.FLEETING);
        fleeting.deleted();
        fleeting.sent("s:5");
        fleeting.accepted("s:5");
        fleeting.compare(List.of());
        assertThat(fleeting.complaints())
                .hasSize(2)
                .anyMatch(complaint -> complaint.contains("s:1 is lost"))
                .anyMatch(complaint -> complaint.contains("s:5 is lost"));
    }

    @Test
    void leavesOpenWhatWasNotAnswered() {
        chain.sent("s:5");
        chain.sent("s:6");
        chain.leaving("s:1");
        List<Seen> found = allFour();
        found.remove(0);
        found.add(seen(6, "a4", null));
        chain.compare(found);
        assertThat(chain.complaints()).isEmpty();
        found.add(seen(5, "a4", null));
        chain.compare(found);
        assertThat(chain.complaints()).isNotEmpty();
    }
}
