package dev.jitney.gateway.http.exchange;

/** Reasons for which the HTTP gateway holds bytes of its {@link MemoryBudget}. */
public enum MemoryPurpose {
    /** Heads of requests, of which the first {@link InboundGuard#FREE_HEAD_COST} bytes are not claimed. */
    HEAD("head"),
    /** Bodies of requests that are being received or processed. */
    BODY("body"),
    /** Responses that the client has not fetched yet. */
    ANSWER("answer"),
    /** Frames of WebSockets that are not complete yet. */
    FRAME("frame");

    private final String word;

    MemoryPurpose(String word) {
        this.word = word;
    }

    /** Returns the value of the label {@code purpose} in metrics. */
    public String word() {
        return word;
    }
}
