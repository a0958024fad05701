package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A list of the sessions of all fragments, ordered by id (SESS-17, SESS-23).
 *
 * <p>It takes rounds. In each round, every fragment lists its next sessions, and may end its list early. The sessions
 * behind the earliest such end are not all known, so the next round continues there. Memory holds the sessions of one
 * round and one page.
 *
 * <p>Any thread may call it; the answers of one round come before the next one.
 */
final class SessionListing {
    /** The order of ids in the list of a fragment. */
    private static final Comparator<String> ORDER =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    /** The limit of rounds, so that one request with a large skip does not keep all fragments at work. */
    private static final int ROUNDS_MAX = 400;

    private final Command.ListSessions list;
    private final FragmentTable fragments;
    private final Executor executor;
    private final ReplyListener listener;

    /** The maximum number of sessions in the answer. */
    private final int pageMax;

    private final List<String> page = new ArrayList<>();

    /** The number of sessions that are still to be skipped. */
    private int skip;

    private int rounds;

    /** @param countMax the maximum number of sessions that the list of one fragment may have */
    SessionListing(
            Command.ListSessions list,
            int countMax,
            FragmentTable fragments,
            Executor executor,
            ReplyListener listener) {
        this.list = list;
        this.fragments = fragments;
        this.executor = executor;
        this.listener = listener;
        this.pageMax = Math.min(list.top(), countMax);
        this.skip = list.skip();
    }

    void begin() {
        ask(list.afterSessionId());
    }

    private void ask(@Nullable String afterSessionId) {
        if (++rounds > ROUNDS_MAX) {
            listener.onRejected(new Rejection(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected to skip fewer sessions at once, but the request skips " + list.skip()
                            + ". Continue from the last session id instead of skipping."));
            return;
        }
        Round round = new Round();
        new ScatterGather(fragments, executor, round).ask(part(afterSessionId), round::take, () -> Reply.Done.INSTANCE);
    }

    private Command.ListSessions part(@Nullable String afterSessionId) {
        boolean valid = list.top() >= 1 && list.skip() >= 0;
        return valid
                ? new Command.ListSessions(
                        list.stateChangedAfterMs(), afterSessionId, 0, saturated(skip, pageMax - page.size()))
                : list; // every fragment refuses it
    }

    private static int saturated(int a, int b) {
        return (int) Math.min(Integer.MAX_VALUE, (long) a + b);
    }

    /** The sessions that the fragments list in one round. */
    private final class Round implements ReplyListener {
        private NavigableSet<String> found = new TreeSet<>(ORDER);

        /** The last id of the list that ended first, or null if no list ended early. */
        private @Nullable String end;

        /** Takes the list of one fragment. One thread at a time calls it. */
        void take(Reply reply) {
            if (reply instanceof Reply.Sessions some) {
                List<String> ids = some.sessionIds();
                found.addAll(ids);
                if (some.more() && !ids.isEmpty()) {
                    String last = ids.get(ids.size() - 1);
                    end = end == null || ORDER.compare(last, end) < 0 ? last : end;
                }
            }
        }

        @Override
        public void onReply(Reply all) {
            for (String id : end == null ? found : found.headSet(end, true)) {
                if (skip > 0) {
                    skip--;
                } else if (page.size() < pageMax) {
                    page.add(id);
                }
            }
            if (end != null && page.size() < pageMax) {
                ask(end);
            } else {
                listener.onReply(new Reply.Sessions(List.copyOf(page), list.skip() - skip + page.size()));
            }
        }

        @Override
        public void onRejected(Rejection rejection) {
            listener.onRejected(rejection);
        }
    }
}
