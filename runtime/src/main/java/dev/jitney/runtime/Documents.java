package dev.jitney.runtime;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Small documents of a namespace in the store of its first shard, for what operators leave behind: the audit trail, jobs and notes. The
 * formats are those of their owners. Any thread may call it. The stages complete on the thread of the shard and fail with {@link
 * BrokerException} if the store does not work.
 */
public interface Documents {
    /** The maximum size of a document, bytes. */
    int BYTES_MAX = 32 << 10;

    /** The maximum number of documents that one read returns. */
    int READ_MAX = 256;

    /** The kinds of documents. Each kind has ids of its own. */
    enum Kind {
        /** Entries of the audit trail. */
        AUDIT("audit"),
        /** Jobs of the operator API. */
        JOB("job"),
        /** The numbers of the messages that a job has counted. */
        JOB_NUMBERS("job-numbers"),
        /** Notes on groups of dead letters. */
        NOTE("note");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns the word in the keys of rows. */
        public String word() {
            return word;
        }
    }

    /**
     * One document.
     *
     * @param id at least 0
     */
    record Document(long id, byte[] content) {}

    /**
     * Writes a document, replacing an older one of the same id. Completes when it is durable.
     *
     * @param id at least 0
     * @throws IllegalArgumentException if the content is too large, or the id is negative
     */
    CompletionStage<Void> put(Kind kind, long id, byte[] content);

    /**
     * Deletes all documents from one id to another one.
     *
     * @param to the first id that stays
     */
    CompletionStage<Void> delete(Kind kind, long from, long to);

    /**
     * Returns documents in the order of their ids, at most {@value #READ_MAX} and about a mebibyte.
     *
     * @param from the smallest id
     * @return empty if there is no such document any more
     */
    CompletionStage<List<Document>> read(Kind kind, long from, int max);
}
