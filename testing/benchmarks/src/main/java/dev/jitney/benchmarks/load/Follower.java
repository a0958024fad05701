package dev.jitney.benchmarks.load;

import dev.jitney.testing.process.ProcessCost;

/**
 * A process that keeps a copy of the messages while another one serves the clients.
 *
 * @param name its name for people
 * @param pid its process id
 * @param isJava whether it is a Java process, so that its heap can be read
 */
public record Follower(String name, long pid, boolean isJava) {
    /** Returns the resources that it has used since its start. */
    Cost cost() {
        ProcessCost cost = new ProcessCost(pid);
        return new Cost(name, cost.cpuNanos(), cost.residentKiB(), cost.writtenBytes(), -1);
    }

    /** Returns the size of live objects after a full collection in MiB, or -1 if it cannot be read. */
    double liveHeapMiB() throws InterruptedException {
        return isJava ? HeapUse.liveMiB(pid) : -1;
    }

    /**
     * The resources that a follower used during a measurement.
     *
     * @param name the name of the follower
     * @param cpuNanos processor time
     * @param residentKiB memory at the end, -1 if not known
     * @param writtenBytes bytes that it caused to be written to disk, -1 if not known
     * @param liveHeapMiB live objects after a full collection at the end, -1 if not known
     */
    public record Cost(String name, long cpuNanos, long residentKiB, long writtenBytes, double liveHeapMiB) {
        /** Returns the difference to an earlier state, with the memory of this one. */
        Cost since(Cost earlier) {
            long written = earlier.writtenBytes < 0 ? -1 : writtenBytes - earlier.writtenBytes;
            return new Cost(name, cpuNanos - earlier.cpuNanos, residentKiB, written, liveHeapMiB);
        }

        Cost withLiveHeapMiB(double mib) {
            return new Cost(name, cpuNanos, residentKiB, writtenBytes, mib);
        }
    }
}
