package dev.jitney.crash.forward;

import dev.jitney.crash.forward.Description.Kind;
import dev.jitney.crash.forward.Route.Forwards;
import dev.jitney.crash.forward.Route.Place;
import dev.jitney.crash.forward.Route.Station;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The entities of the crash test of forwarding, for a server with three stores. The names decide about the store: those of
 * the long chain are in the stores 0, 1, 2, 0, 2, those of the mixed one in 0, 2, 2, 1, 1.
 */
final class ForwardPlan {
    static final int STORES = 3;
    static final List<String> LONG_CHAIN = List.of("a0", "a1", "a2", "a3", "a4");

    /** These two are disabled in every way now and then. */
    static final String HALTED = "d1";

    static final String CLOSED = "d2";

    /** Dead letters go there; now and then it takes none. */
    static final String TOMB = "tomb-1";

    /** It is deleted and made anew. */
    static final String FLEETING = "x1";

    /** Its receiver lets messages die. */
    static final String WORK = "w";

    private static final List<String> MIXED_CHAIN = List.of("far-0", "far-1", "far-2", "far-3", "far-4");
    private static final String TOPIC = "t";
    private static final Set<String> NONE = Set.of("null");
    private static final Set<String> TOO_FAR = Set.of("MaxTransferHopCountExceeded");
    private static final Set<String> UNREACHABLE =
            Set.of("MessagingEntityDisabledException", "MessagingEntityNotFoundException");

    private ForwardPlan() {}

    /** All routes; two of them begin at the same queue and part at the topic. */
    static List<Route> routes() {
        return List.of(
                chain("long", LONG_CHAIN),
                chain("mixed", MIXED_CHAIN),
                subscription("copies", "s", "out"),
                subscription("other copies", "plain", null),
                halted(),
                fleeting(),
                deadLetters(),
                circle());
    }

    private static Route chain(String name, List<String> queues) {
        List<Station> stations = new ArrayList<>();
        for (int i = 0; i < queues.size() - 1; i++) {
            stations.add(passing(queues.get(i), queues.get(i + 1)));
        }
        String end = queues.get(queues.size() - 1);
        stations.add(resting(end));
        return new Route(name, queues.get(0), stations, List.of(new Place(end, Route.Kind.ORDERED_END, NONE)));
    }

    /** From a queue to a topic, and from a subscription to a queue or nowhere. */
    private static Route subscription(String route, String name, @org.jspecify.annotations.Nullable String to) {
        String path = TOPIC + "/Subscriptions/" + name;
        List<Station> stations = new ArrayList<>(List.of(
                passing("e0", TOPIC),
                new Station(TOPIC, new Description(Kind.TOPIC, null, null), Forwards.NOTHING),
                new Station(
                        path,
                        new Description(Kind.SUBSCRIPTION, to, null),
                        to == null ? Forwards.NOTHING : Forwards.MESSAGES)));
        if (to != null) {
            stations.add(resting(to));
        }
        return new Route(
                route, "e0", stations, List.of(new Place(to == null ? path : to, Route.Kind.ORDERED_END, NONE)));
    }

    private static Route halted() {
        return new Route(
                "halted",
                "d0",
                List.of(passing("d0", HALTED), passing(HALTED, CLOSED), resting(CLOSED)),
                List.of(
                        new Place(CLOSED, Route.Kind.END, NONE),
                        new Place(transferDeadLetters("d0"), Route.Kind.DETOUR, UNREACHABLE),
                        new Place(transferDeadLetters(HALTED), Route.Kind.DETOUR, UNREACHABLE)));
    }

    private static Route fleeting() {
        return new Route(
                "fleeting",
                "x0",
                List.of(passing("x0", FLEETING), resting(FLEETING)),
                List.of(
                        new Place(FLEETING, Route.Kind.END, NONE),
                        new Place(transferDeadLetters("x0"), Route.Kind.DETOUR, UNREACHABLE)));
    }

    private static Route deadLetters() {
        return new Route(
                "dead letters",
                WORK,
                List.of(
                        new Station(WORK, new Description(Kind.QUEUE, null, TOMB), Forwards.DEAD_LETTERS),
                        resting(TOMB)),
                List.of(
                        new Place(WORK, Route.Kind.END, NONE),
                        new Place(TOMB, Route.Kind.DETOUR, Set.of("null", "MaxDeliveryCountExceeded"))));
    }

    /** Four times there and back, and then not on. */
    private static Route circle() {
        return new Route(
                "circle",
                "c0",
                List.of(
                        passing("c0", "c1"),
                        passing("c1", "c0"),
                        passing("c0", "c1"),
                        passing("c1", "c0"),
                        passing("c0", "c1")),
                List.of(new Place(transferDeadLetters("c0"), Route.Kind.DETOUR, TOO_FAR)));
    }

    private static Station passing(String queue, String to) {
        return new Station(queue, Description.queueTo(to), Forwards.MESSAGES);
    }

    private static Station resting(String queue) {
        return new Station(queue, Description.queue(), Forwards.NOTHING);
    }

    private static String transferDeadLetters(String queue) {
        return queue + "/$Transfer/$DeadLetterQueue";
    }

    /** Every entity once, in an order in which they can be made but for the circle's. */
    static List<Station> stations(List<Route> routes) {
        Set<Station> all = new LinkedHashSet<>();
        for (Route route : routes) {
            for (int i = route.stations().size() - 1; i >= 0; i--) {
                all.add(route.stations().get(i));
            }
        }
        List<Station> ordered = new ArrayList<>(all);
        // A subscription comes after its topic.
        ordered.sort((a, b) -> Boolean.compare(isSubscription(a), isSubscription(b)));
        return ordered;
    }

    private static boolean isSubscription(Station station) {
        return station.description().kind() == Kind.SUBSCRIPTION;
    }
}
