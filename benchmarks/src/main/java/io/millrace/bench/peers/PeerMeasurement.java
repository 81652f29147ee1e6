package io.millrace.bench.peers;

import io.millrace.bench.os.ProcessCpu;
import io.millrace.bench.os.ProcessMemory;
import io.millrace.bench.peers.PeerSearch.Kind;
import io.millrace.bench.run.RunProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One side of one round: load, merge, bytes, searches, answers. CPU is that of the side's process
 * and of those below it, from {@code /proc}, which tells hundredths of a second: a kind of search
 * is asked over and over until it took enough of them.
 */
final class PeerMeasurement {
  /** Of the CPU of a pass: what compilers may take when the code counts as warm. */
  private static final double COMPILING = 0.1;

  private static final int WARM_PASSES = 15;
  private static final double LEAST_MILLIS = 600;
  private static final int MOST_PASSES = 40;

  private final Peer peer;
  private final Peer.Documents documents;
  private final RunProgress progress;
  private final Map<Kind, Double> searches = new EnumMap<>(Kind.class);
  private final Map<Kind, List<PeerFigures.Found>> answers = new EnumMap<>(Kind.class);

  PeerMeasurement(Peer peer, Peer.Documents documents, RunProgress progress) {
    this.peer = peer;
    this.documents = documents;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param warmUp how many documents a side that warms up takes for it
   * @param asked of each kind the searches, the first half of which warms
   */
  PeerFigures measure(long warmUp, Map<Kind, List<PeerSearch>> asked) throws IOException {
    double count = documents.bulks().documents();
    progress.step("warm-up");
    peer.warmUp(documents, warmUp);
    progress.step("load");
    Cpu start = cpu();
    long begun = System.nanoTime();
    peer.load(documents);
    double seconds = (System.nanoTime() - begun) / 1e9;
    Cpu loaded = cpu();
    progress.step("merge");
    peer.merge();
    Cpu merged = cpu();
    double bytes = peer.bytes() / count;
    for (Map.Entry<Kind, List<PeerSearch>> kind : asked.entrySet()) {
      progress.step(kind.getKey().title());
      search(kind.getKey(), kind.getValue());
    }
    return new PeerFigures(
        peer.version(),
        documents.bulks().documents(),
        loaded.since(start).all() * 1000 / count,
        loaded.since(start).compilers() * 1000 / count,
        merged.since(loaded).all() * 1000 / count,
        bytes,
        seconds,
        ProcessMemory.peakBytes(peer.pid()) / 1048576.0,
        searches,
        answers);
  }

  private void search(Kind kind, List<PeerSearch> all) throws IOException {
    int half = all.size() / 2;
    warm(all.subList(0, half));
    List<PeerSearch> measured = all.subList(half, all.size());
    Cpu before = cpu();
    double millis = 0;
    int passes = 0;
    while (passes == 0 || (millis < LEAST_MILLIS && passes < MOST_PASSES)) {
      for (PeerSearch search : measured) {
        peer.ask(search);
      }
      millis = cpu().since(before).searches();
      passes++;
    }
    searches.put(kind, millis * 1000 / passes / measured.size());
    List<PeerFigures.Found> found = new ArrayList<>();
    for (PeerSearch search : measured) {
      found.add(new PeerFigures.Found(peer.ask(search), peer.hits(search)));
    }
    answers.put(kind, found);
  }

  private void warm(List<PeerSearch> searches) throws IOException {
    for (int pass = 0; pass < WARM_PASSES; pass++) {
      Cpu before = cpu();
      for (PeerSearch search : searches) {
        peer.ask(search);
      }
      Cpu took = cpu().since(before);
      if (took.compilers <= COMPILING * took.all) {
        return;
      }
    }
  }

  private Cpu cpu() throws IOException {
    return new Cpu(
        ProcessCpu.ofTree(peer.pid()).totalMillis(),
        ProcessCpu.ofCompilers(peer.pid()).totalMillis());
  }

  /** CPU in milliseconds: of all threads, and of the JVM's compilers among them. */
  private record Cpu(double all, double compilers) {
    Cpu since(Cpu before) {
      return new Cpu(all - before.all, Math.max(0, compilers - before.compilers));
    }

    double searches() {
      return all - compilers;
    }
  }
}
