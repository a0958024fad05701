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
 * The entities of the crash test of forwarding, for a server with three stores. The names determine the stores: the
 * long chain uses the stores 0, 1, 2, 0, 2, and the mixed chain uses the stores 0, 2, 2, 1, 1.
 */
final class ForwardPlan {
    static final int STORES = 3;
    static final List<String> LONG_CHAIN = List.of("a0", "a1", "a2", "a3", "a4");

    /** This queue is sometimes disabled in all ways, and {@link #CLOSED} for sends. */
    static final String HALTED = "d1";

    static final String CLOSED = "d2";

    /** The destination of dead-letter messages, which sometimes rejects them. */
    static final String TOMB = "tomb-1";

    /** The queue that is deleted and created again. */
    static final String FLEETING = "x1";

    /** The queue whose receiver does not settle some messages until they are dead-lettered. */
    static final String WORK = "w";

    private static final List<String> MIXED_CHAIN = List.of("far-0", "far-1", "far-2", "far-3", "far-4");
    private static final String TOPIC = "t";
    private static final Set<String> NONE = Set.of("null");
    private static final Set<String> TOO_FAR = Set.of("MaxTransferHopCountExceeded");
    private static final Set<String> UNREACHABLE =
            Set.of("MessagingEntityDisabledException", "MessagingEntityNotFoundException");

    private ForwardPlan() {}

    /** Returns all routes. Two of them begin at the same queue and separate at the topic. */
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

    /** Returns a route from a queue to a topic, and from a subscription to a queue or to no other entity. */
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

    /** Returns a route that forwards four times between two queues and then stops. */
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

    /** Returns every entity once, in an order in which they can be created, except for the circle. */
    static List<Station> stations(List<Route> routes) {
        Set<Station> all = new LinkedHashSet<>();
        for (Route route : routes) {
            for (int i = route.stations().size() - 1; i >= 0; i--) {
                all.add(route.stations().get(i));
            }
        }
        List<Station> ordered = new ArrayList<>(all);
        // A subscription follows its topic.
        ordered.sort((a, b) -> Boolean.compare(isSubscription(a), isSubscription(b)));
        return ordered;
    }

    private static boolean isSubscription(Station station) {
        return station.description().kind() == Kind.SUBSCRIPTION;
    }
}
