package dev.jitney.comparison.scenario;

/**
 * The rates that must be the same for all brokers and are known only after one broker was measured. Used by one thread.
 */
public final class Rates {
    private double half;

    /**
     * @param half half of the saturation rate of the scenario in messages per second, 0 to measure it
     */
    public Rates(double half) {
        this.half = half;
    }

    public boolean knowsHalf() {
        return half > 0;
    }

    /** Returns half of the maximum rate of the broker that determines it. */
    double half() {
        return half;
    }

    void saturatesAt(double perSecond) {
        half = perSecond / 2;
    }
}
