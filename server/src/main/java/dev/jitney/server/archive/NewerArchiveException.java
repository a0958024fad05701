package dev.jitney.server.archive;

/** A file of an archive that a newer version of the program wrote. It is complete, but this version cannot read it. */
final class NewerArchiveException extends ArchiveException {
    private static final long serialVersionUID = 1L;

    NewerArchiveException(String message) {
        super(message, null);
    }
}
