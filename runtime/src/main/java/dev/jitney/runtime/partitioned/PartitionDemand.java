package dev.jitney.runtime.partitioned;

import java.util.List;

/**
 * How many messages the receivers of a connection want, and of which fragments they are asked for (PART-12). Under the lock of its
 * {@link PartitionFanIn}.
 */
final class PartitionDemand {
    private final List<FragmentedReceiver> receivers;
    private final List<PartitionReceiver> partitions;

    /** The number that was last asked of a fragment with messages. */
    private long share;

    /** Both lists may change. */
    PartitionDemand(List<FragmentedReceiver> receivers, List<PartitionReceiver> partitions) {
        this.receivers = receivers;
        this.partitions = partitions;
    }

    /** A fragment with fewer messages under way is to be asked for more. */
    long refillBelow() {
        return (share + 1) / 2;
    }

    /** How many messages all receivers want, without those that wait behind a hand-out. */
    long wanted() {
        long wanted = 0;
        for (FragmentedReceiver receiver : receivers) {
            wanted += Math.max(0, receiver.wanted());
        }
        for (PartitionReceiver partition : partitions) {
            wanted -= partition.heldCount();
        }
        return wanted;
    }

    /** Whether a receiver drains. */
    boolean isDraining() {
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining()) {
                return true;
            }
        }
        return false;
    }

    /** Asks the fragments for messages that are wanted and have not come. */
    void ask() {
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining() && receiver.wanted() <= 0 && !receiver.isAwaitingMessages()) {
                receiver.drained();
            }
        }
        long wanted = wanted();
        if (wanted <= 0) {
            for (PartitionReceiver partition : partitions) {
                partition.request(0, false);
                partition.forgetEmpty();
            }
        } else if (isDraining()) {
            drain(wanted);
        } else {
            spread(wanted);
        }
    }

    /** Most over those that are known to have messages, one each over the others. */
    private void spread(long wanted) {
        int rich = 0;
        for (PartitionReceiver partition : partitions) {
            rich += partition.isRich() ? 1 : 0;
        }
        share = (wanted + Math.max(1, rich) - 1) / Math.max(1, rich);
        for (PartitionReceiver partition : partitions) {
            long mine = partition.isRich() ? share : 1;
            // Changed only when it matters, because each change is a task for the fragment.
            if (partition.outstanding() < (mine + 1) / 2 || partition.outstanding() > 2 * mine) {
                partition.request(mine, false);
            }
        }
    }

    /** Takes all there is, up to what is wanted, until no fragment has more. */
    private void drain(long wanted) {
        int left = 0;
        for (PartitionReceiver partition : partitions) {
            if (partition.isDraining()) {
                return; // all that were asked answer first
            }
            left += partition.mayHaveMore() ? 1 : 0;
        }
        if (left > 0) {
            long each = (wanted + left - 1) / left;
            for (PartitionReceiver partition : partitions) {
                if (partition.mayHaveMore()) {
                    partition.request(each, true);
                }
            }
            return;
        }
        if (partitions.stream().anyMatch(partition -> partition.heldCount() > 0)) {
            return; // messages behind a hand-out are given out first
        }
        boolean finished = true;
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining() && receiver.isAwaitingMessages()) {
                finished = false;
            } else if (receiver.isDraining()) {
                receiver.drained();
            }
        }
        if (finished) { // whoever does not drain goes on waiting
            partitions.forEach(PartitionReceiver::forgetEmpty);
            ask();
        }
    }
}
