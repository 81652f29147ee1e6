package io.millrace.bench.peers;

/**
 * A search that every side puts in its own language.
 *
 * @param kind what is asked
 * @param text an id, a word, or words with one space between them; empty for counts
 * @param from first millisecond of the window of counts, a whole second; for the other kinds a time
 *     before all documents, for sides that want one
 * @param to the millisecond after the window's last; for the other kinds a time after all documents
 */
public record PeerSearch(Kind kind, String text, long from, long to) {
  /** The five searches. */
  public enum Kind {
    /** The document that has an id. */
    ID("id"),
    /** The newest 100 documents with a frequent word. */
    WORD("frequent word, newest 100"),
    /** The newest 100 documents with two words. */
    WORDS("two words, newest 100"),
    /** The newest 100 documents with neighbouring words of which one is a number. */
    PHRASE("phrase with a number, newest 100"),
    /** Documents of each level and 10 minutes within a window. */
    COUNTS("counts per level and 10 minutes");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Its name in tables. */
    public String title() {
      return title;
    }
  }

  /** How many documents a search gives at most. */
  static final int MOST = 100;

  /** The interval of the counts, in milliseconds. */
  static final long INTERVAL = 600_000;

  static PeerSearch counts(long from, long to) {
    return new PeerSearch(Kind.COUNTS, "", from, to);
  }
}
