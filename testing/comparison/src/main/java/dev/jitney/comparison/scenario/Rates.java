package dev.jitney.comparison.scenario;

/** What must be the same for all brokers and is not known before one of them was measured. Used by one thread. */
public final class Rates {
    private double half;

    /** @param half messages per second of the scenario at half of saturation, 0 to find it out */
    public Rates(double half) {
        this.half = half;
    }

    public boolean knowsHalf() {
        return half > 0;
    }

    /** Half of what the broker that sets the pace can do. */
    double half() {
        return half;
    }

    void saturatesAt(double perSecond) {
        half = perSecond / 2;
    }
}
