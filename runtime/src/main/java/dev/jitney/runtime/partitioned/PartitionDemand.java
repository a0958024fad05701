package dev.jitney.runtime.partitioned;

import java.util.List;

/**
 * The credit of a connection's receivers, and its distribution over the fragments (PART-12). Used under the lock of
 * its {@link PartitionFanIn}.
 */
final class PartitionDemand {
    private final List<FragmentedReceiver> receivers;
    private final List<PartitionReceiver> partitions;

    /** The credit that each fragment with messages last received. */
    private long share;

    /** Both lists may change later. */
    PartitionDemand(List<FragmentedReceiver> receivers, List<PartitionReceiver> partitions) {
        this.receivers = receivers;
        this.partitions = partitions;
    }

    /** Returns the number of outstanding messages below which a fragment gets new credit. */
    long refillBelow() {
        return (share + 1) / 2;
    }

    /** Returns the total remaining credit of all receivers, minus the messages that wait behind a hand-out. */
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

    /** Returns whether a receiver drains. */
    boolean isDraining() {
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining()) {
                return true;
            }
        }
        return false;
    }

    /** Requests the missing messages from the fragments. */
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

    /** Gives most credit to fragments that are known to have messages, and one each to the others. */
    private void spread(long wanted) {
        int rich = 0;
        for (PartitionReceiver partition : partitions) {
            rich += partition.isRich() ? 1 : 0;
        }
        share = (wanted + Math.max(1, rich) - 1) / Math.max(1, rich);
        for (PartitionReceiver partition : partitions) {
            long mine = partition.isRich() ? share : 1;
            // The credit changes only when it matters, because each change is a task for the fragment.
            if (partition.outstanding() < (mine + 1) / 2 || partition.outstanding() > 2 * mine) {
                partition.request(mine, false);
            }
        }
    }

    /** Requests all available messages up to the remaining credit, until no fragment has more. */
    private void drain(long wanted) {
        int left = 0;
        for (PartitionReceiver partition : partitions) {
            if (partition.isDraining()) {
                return; // all drains in progress must end first
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
            return; // messages behind a hand-out are delivered first
        }
        boolean finished = true;
        for (FragmentedReceiver receiver : receivers) {
            if (receiver.isDraining() && receiver.isAwaitingMessages()) {
                finished = false;
            } else if (receiver.isDraining()) {
                receiver.drained();
            }
        }
        if (finished) { // receivers that do not drain still wait
            partitions.forEach(PartitionReceiver::forgetEmpty);
            ask();
        }
    }
}
