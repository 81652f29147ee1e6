package io.millrace.storage;

import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.store.MockDirectoryWrapper;

/**
 * A disk whose power goes at a moment chosen beforehand: from then on nothing reaches it, and what
 * was never synced is deleted, zeroed, cut, or has a flipped bit (MockDirectoryWrapper.crash).
 *
 * <p>The moment is an operation on a file after so many files of a flush, of a merge or of a
 * commit, so that cuts fall into each of them and not only where most bytes are written.
 */
final class PowerCutDirectory extends MockDirectoryWrapper {
  /** What the index was doing. */
  enum Moment {
    FLUSH,
    MERGE,
    COMMIT,
    OTHER
  }

  private final Map<Moment, Integer> cuts = new EnumMap<>(Moment.class);
  private Moment wanted = Moment.OTHER;
  private int files = -1;
  private int operations;
  private boolean off;
  private boolean losing;

  PowerCutDirectory(Random random, Directory delegate) {
    super(random, delegate);
    setCheckIndexOnClose(false); // the test does, and looks at the documents too
    setAssertNoDeleteOpenFile(false);
    failOn(
        new Failure() {
          @Override
          public void eval(MockDirectoryWrapper directory) throws IOException {
            operation();
          }
        });
  }

  /** Cuts the power this many operations after this many files of a moment. */
  synchronized void cutAfter(Moment moment, int filesBefore, int operationsBefore) {
    wanted = moment;
    files = filesBefore;
    operations = operationsBefore;
  }

  /** How often the power was cut, by what the index was doing. */
  synchronized Map<Moment, Integer> cuts() {
    return Map.copyOf(cuts);
  }

  synchronized boolean off() {
    return off;
  }

  private synchronized void operation() throws IOException {
    if (losing) {
      return;
    }
    if (!off && files == 0 && --operations <= 0) {
      cut();
    }
    if (off) {
      throw new IOException("power is off");
    }
  }

  private synchronized void file(Moment moment) {
    if (files > 0 && (moment == wanted || wanted == Moment.OTHER)) {
      files--;
    }
  }

  private void cut() {
    off = true;
    files = -1;
    Moment moment =
        StackWalker.getInstance()
            .walk(frames ->
                frames
                    .map(frame -> moment(frame.getClassName(), frame.getMethodName()))
                    .filter(each -> each != Moment.OTHER)
                    .findFirst()
                    .orElse(Moment.OTHER));
    cuts.merge(moment, 1, Integer::sum);
  }

  private static Moment moment(String type, String method) {
    if (type.endsWith(".DocumentsWriterPerThread")) {
      return Moment.FLUSH;
    }
    if (method.equals("mergeMiddle") || method.equals("commitMerge")) {
      return Moment.MERGE;
    }
    return method.equals("prepareCommitInternal") || method.equals("finishCommit")
        ? Moment.COMMIT
        : Moment.OTHER;
  }

  /** Cuts the power now, if it is still on, and loses what was not synced. */
  synchronized void lose() throws IOException {
    if (!off) {
      cut();
    }
    losing = true;
    try {
      crash();
    } finally {
      losing = false;
    }
  }

  /** To be called when whoever wrote has noticed. */
  synchronized void powerOn() {
    clearCrash();
    off = false;
    files = -1;
  }

  @Override
  public synchronized IndexOutput createOutput(String name, IOContext context) throws IOException {
    Moment moment =
        context.mergeInfo() != null
            ? Moment.MERGE
            : context.flushInfo() != null ? Moment.FLUSH : Moment.COMMIT;
    file(moment);
    return super.createOutput(name, context);
  }

  @Override
  public synchronized void sync(Collection<String> names) throws IOException {
    file(Moment.COMMIT);
    super.sync(names);
  }

  @Override
  public synchronized void rename(String source, String target) throws IOException {
    file(Moment.COMMIT);
    super.rename(source, target);
  }

  @Override
  public synchronized void syncMetaData() throws IOException {
    file(Moment.COMMIT);
    super.syncMetaData();
  }

  @Override
  public synchronized void deleteFile(String name) throws IOException {
    file(Moment.OTHER);
    super.deleteFile(name);
  }
}
