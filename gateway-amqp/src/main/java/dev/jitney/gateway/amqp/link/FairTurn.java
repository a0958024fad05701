package dev.jitney.gateway.amqp.link;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The order in which the links of a connection continue when its socket accepts bytes again: the first one is the one behind the link
 * after which the socket was full the last time. Otherwise the same links would always take what the socket accepts, and the
 * messages of the others would wait for long. For one event loop.
 */
final class FairTurn {
    private int first;

    /**
     * Continues all links once.
     *
     * @param links        the links, in an order that mostly stays the same
     * @param proceed      continues a link
     * @param acceptsBytes returns whether the socket accepts bytes
     */
    <T> void run(List<T> links, Consumer<? super T> proceed, BooleanSupplier acceptsBytes) {
        int begin = links.isEmpty() ? 0 : first % links.size();
        boolean full = false;
        for (int i = 0; i < links.size(); i++) {
            int at = (begin + i) % links.size();
            proceed.accept(links.get(at));
            if (!full && !acceptsBytes.getAsBoolean()) {
                full = true;
                first = at + 1;
            }
        }
    }
}
