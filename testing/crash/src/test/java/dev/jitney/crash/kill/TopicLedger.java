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
 * What a client may expect of a topic. Each subscription is a {@link Ledger}; this is what holds over all of them: an
 * accepted message is in every subscription that takes it and in no other, and one nobody heard of any more is in all of
 * them or in none. Of a subscription that comes and goes that is certain only for messages sent while it was known to
 * exist. Thread-safe.
 */
final class TopicLedger extends CrashLedger {
    private final List<Subscribed> lasting = Palette.subscriptions();
    private final Map<Integer, Publication> unanswered = new LinkedHashMap<>();
    /** Sent since the last restart to be published later; for those a new subscription may still be in time. */
    private final List<Publication> scheduled = new ArrayList<>();

    private @Nullable Subscribed fleeting;
    private Phase phase = Phase.ABSENT;
    private int nextNumber;
    private int accepted;

    /** What is known of the subscription that comes and goes. */
    enum Phase {
        ABSENT,
        CREATING,
        PRESENT,
        DELETING
    }

    /**
     * A message on its way to all its subscriptions.
     *
     * @param sender which link it goes over; one of its own if it is scheduled, because it keeps no order
     */
    record Publication(int number, int sender, boolean scheduled, List<Copy> copies) {}

    /** What one subscription is to get of it. */
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
        complain("Message " + publication.number() + " was refused: " + why + ".");
    }

    /** The subscription that comes and goes was asked for; what is under way may or may not get there. */
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

    /** It was asked to go. */
    synchronized void deleting() {
        phase = Phase.DELETING;
        require(fleeting).ledger().live(Life.ENDING);
    }

    /** The answer to either, if it came. */
    synchronized void changed(int status) {
        if (status / 100 != 2) {
            complain("While " + phase + " the subscription the broker answered " + status + ".");
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

    /** What a restarted broker says about the subscription that comes and goes. */
    synchronized void found(boolean there) {
        if (there ? phase == Phase.ABSENT : phase == Phase.PRESENT) {
            complain("The subscription that comes and goes is " + (there ? "" : "not ") + "there, but was " + phase);
        }
        if (there && fleeting == null) {
            fleeting = Palette.fleeting();
        }
        settle(there);
    }

    /** The subscriptions as far as they are known to exist. */
    synchronized List<Subscribed> subscriptions() {
        List<Subscribed> all = new ArrayList<>(lasting);
        if (fleeting != null && phase == Phase.PRESENT) {
            all.add(fleeting);
        }
        return all;
    }

    /** To be asked after every subscription was compared with what a restarted broker shows. */
    synchronized void compareUnanswered() {
        for (Publication publication : unanswered.values()) {
            List<Boolean> seen = publication.copies().stream()
                    .filter(copy -> !copy.ledger().isGone())
                    .map(copy -> Ledger.wasSeen(copy.request().entry()))
                    .distinct()
                    .toList();
            if (seen.size() > 1) {
                complain("Message " + publication.number() + " is in some of its subscriptions only.");
            }
        }
        unanswered.clear();
        scheduled.clear();
    }

    /** How many messages the fullest subscription holds. */
    synchronized int fullest() {
        return subscriptions().stream()
                .mapToInt(subscription -> subscription.ledger().size())
                .max()
                .orElse(0);
    }

    /** How many copies there are in all. */
    synchronized int size() {
        return subscriptions().stream()
                .mapToInt(subscription -> subscription.ledger().size())
                .sum();
    }

    synchronized int accepted() {
        return accepted;
    }

    /** How much of what was asked for, per copy, is known to be done; of the subscription that comes and goes not counted. */
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
            throw new IllegalStateException("Expected the subscription to be known.");
        }
        return subscription;
    }
}
