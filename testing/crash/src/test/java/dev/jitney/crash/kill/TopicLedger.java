package dev.jitney.crash.kill;

import dev.jitney.crash.kill.Ledger.Life;
import dev.jitney.crash.kill.Ledger.Place;
import dev.jitney.crash.kill.Ledger.Request;
import dev.jitney.crash.support.CrashLedger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a client may expect in a topic. Each subscription has a {@link Ledger}. This class checks the
 * subscriptions together: an accepted message is in each subscription that selects it and in no other. A message
 * without a reply is in all of them or in none. For the subscription that is created and deleted repeatedly, this is
 * certain only for messages sent while it existed. Thread-safe.
 */
final class TopicLedger extends CrashLedger {
    private final List<Subscribed> lasting = Palette.subscriptions();
    private final Map<Integer, Publication> unanswered = new LinkedHashMap<>();
    /** The scheduled messages sent since the last restart. A new subscription may still receive them. */
    private final List<Publication> scheduled = new ArrayList<>();

    private @Nullable Subscribed fleeting;
    private Phase phase = Phase.ABSENT;
    private int nextNumber;
    private int accepted;

    /** The known state of the subscription that is created and deleted repeatedly. */
    enum Phase {
        ABSENT,
        CREATING,
        PRESENT,
        DELETING
    }

    /**
     * A message that is being published.
     *
     * @param sender the link that sends it; a separate number for scheduled messages, because they have no order
     */
    record Publication(int number, int sender, boolean scheduled, List<Copy> copies) {}

    /** The expected copy in one subscription. */
    record Copy(Ledger ledger, Request request) {}

    synchronized Publication publish(int sender, boolean later) {
        int number = nextNumber++;
        Publication publication = new Publication(number, later ? -1 - number : sender, later, new ArrayList<>());
        for (Subscribed subscription : lasting) {
            publication.copies().addAll(expect(subscription, publication));
        }
        if (fleeting != null) {
            List<Copy> copies = expect(fleeting, publication);
            if (phase != Phase.CREATING && !later) {
                publication.copies().addAll(copies);
            }
        }
        unanswered.put(number, publication);
        if (later) {
            scheduled.add(publication);
        }
        return publication;
    }

    private static List<Copy> expect(Subscribed subscription, Publication publication) {
        List<Copy> copies = new ArrayList<>();
        for (boolean changed : new boolean[] {false, true}) {
            int number = publication.number();
            if ((changed ? subscription.changed() : subscription.plain()).test(number)) {
                Ledger ledger = subscription.ledger();
                copies.add(new Copy(
                        ledger, ledger.expect(Ledger.copy(number, changed), publication.sender(), Place.ACTIVE)));
            }
        }
        return copies;
    }

    synchronized void accepted(Publication publication) {
        accepted++;
        unanswered.remove(publication.number());
        publication.copies().forEach(copy -> copy.ledger().confirm(copy.request()));
    }

    synchronized void refused(Publication publication, String why) {
        complain("Message " + publication.number() + " was rejected: " + why + ".");
    }

    /** Records that the creation of the subscription was requested. Messages in transit may or may not arrive in it. */
    synchronized Subscribed creating() {
        Subscribed created = Palette.fleeting();
        phase = Phase.CREATING;
        fleeting = created;
        unanswered.values().stream()
                .filter(publication -> !publication.scheduled())
                .forEach(publication -> expect(created, publication));
        scheduled.forEach(publication -> expect(created, publication));
        return created;
    }

    /** Records that its deletion was requested. */
    synchronized void deleting() {
        phase = Phase.DELETING;
        require(fleeting).ledger().live(Life.ENDING);
    }

    /** Records the reply to the creation or deletion. */
    synchronized void changed(int status) {
        if (status / 100 != 2) {
            complain("Expected the request in phase " + phase + " of the subscription to succeed, but got status "
                    + status + ".");
        }
        settle(phase == Phase.CREATING);
    }

    private void settle(boolean there) {
        if (there) {
            phase = Phase.PRESENT;
            require(fleeting).ledger().live(Life.SERVED);
        } else {
            phase = Phase.ABSENT;
            if (fleeting != null) {
                fleeting.ledger().complaints().forEach(this::complain);
                fleeting.ledger().live(Life.GONE);
                fleeting = null;
            }
        }
    }

    synchronized Phase phase() {
        return phase;
    }

    /** Compares the existence of the subscription in a restarted broker. */
    synchronized void found(boolean there) {
        if (there ? phase == Phase.ABSENT : phase == Phase.PRESENT) {
            complain("The subscription '" + Palette.FLEETING + "' " + (there ? "exists" : "does not exist")
                    + ", but its phase was " + phase);
        }
        if (there && fleeting == null) {
            fleeting = Palette.fleeting();
        }
        settle(there);
    }

    /** Returns the subscriptions that are known to exist. */
    synchronized List<Subscribed> subscriptions() {
        List<Subscribed> all = new ArrayList<>(lasting);
        if (fleeting != null && phase == Phase.PRESENT) {
            all.add(fleeting);
        }
        return all;
    }

    /** Checks the messages without a reply. Called after all subscriptions were compared with a restarted broker. */
    synchronized void compareUnanswered() {
        for (Publication publication : unanswered.values()) {
            List<Boolean> seen = publication.copies().stream()
                    .filter(copy -> !copy.ledger().isGone())
                    .map(copy -> Ledger.wasSeen(copy.request().entry()))
                    .distinct()
                    .toList();
            if (seen.size() > 1) {
                complain("Message " + publication.number() + " is in some of its subscriptions, but not in all.");
            }
        }
        unanswered.clear();
        scheduled.clear();
    }

    /** Returns the number of messages in the subscription with the most messages. */
    synchronized int fullest() {
        return subscriptions().stream()
                .mapToInt(subscription -> subscription.ledger().size())
                .max()
                .orElse(0);
    }

    /** Returns the number of copies in all subscriptions. */
    synchronized int size() {
        return subscriptions().stream()
                .mapToInt(subscription -> subscription.ledger().size())
                .sum();
    }

    synchronized int accepted() {
        return accepted;
    }

    /**
     * Returns the number of confirmed requests for copies, without the subscription that is created and deleted
     * repeatedly.
     */
    synchronized int confirmed() {
        return lasting.stream()
                .mapToInt(subscription -> subscription.ledger().confirmed())
                .sum();
    }

    @Override
    public synchronized List<String> complaints() {
        List<String> all = new ArrayList<>(super.complaints());
        for (Subscribed subscription : subscriptions()) {
            subscription.ledger().complaints().forEach(complaint -> all.add(subscription.path() + ": " + complaint));
        }
        return all;
    }

    private static Subscribed require(@Nullable Subscribed subscription) {
        if (subscription == null) {
            throw new IllegalStateException("Expected the subscription to be known, but it is not.");
        }
        return subscription;
    }
}
