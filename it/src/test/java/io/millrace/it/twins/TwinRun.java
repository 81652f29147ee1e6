package io.millrace.it.twins;

import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;

/** One series: documents, searches, writes between searches, a merge, a close and an opening. */
final class TwinRun {
  private final JsonHttp http;
  private final Draw draw;
  private final TwinTexts texts;
  private final TwinWrites writes;
  private final TwinSearches searches;
  private final Twins twins;
  private final long seed;

  /** What differed. */
  final List<String> differences = new ArrayList<>();

  TwinRun(JsonHttp http, long seed) {
    this.http = http;
    this.seed = seed;
    draw = new Draw(seed);
    texts = new TwinTexts(draw);
    writes = new TwinWrites(draw, texts);
    searches = new TwinSearches(draw, texts);
    twins = new Twins(http);
  }

  Twins twins() {
    return twins;
  }

  TwinSearches searches() {
    return searches;
  }

  /** Makes both indices and what their queries look up. */
  TwinRun create(int shards, String settings) {
    http.put(
            "/lookup/_doc/1?refresh=true",
            Draw.json(
                Draw.object("ids", draw.list(20, texts::id), "words", draw.list(20, texts::token))))
        .ok();
    http.put("/" + Twins.OURS, TwinIndices.ours(shards, settings)).ok();
    http.put("/" + Twins.TWIN, TwinIndices.twin(shards, settings)).ok();
    return this;
  }

  /** Documents under new ids, in several segments. */
  TwinRun append(int documents) {
    for (int left = documents; left > 0; left -= 50) {
      same("append", writes.append(50));
      if (draw.once(3)) {
        refresh();
      }
    }
    refresh();
    return this;
  }

  /** As many searches. */
  TwinRun search(int count, boolean scores) {
    twins.scores = scores;
    for (int i = 0; i < count; i++) {
      same("search " + i, searches.next());
    }
    return this;
  }

  /** As many writes, with a search after most of them. */
  TwinRun write(int count) {
    twins.scores = false;
    for (int i = 0; i < count; i++) {
      same("write " + i, writes.next());
      if (draw.once(3)) {
        refresh();
        same("search after write " + i, searches.next());
      }
    }
    refresh();
    return this;
  }

  void refresh() {
    both("POST", "/#/_refresh");
  }

  TwinRun merge() {
    both("POST", "/#/_flush");
    both("POST", "/#/_forcemerge?max_num_segments=1");
    refresh();
    return this;
  }

  TwinRun reopen() {
    both("POST", "/#/_close");
    both("POST", "/#/_open");
    return await("");
  }

  /** Waits until both indices whose names end so can be asked. */
  TwinRun await(String suffix) {
    for (String index : List.of(Twins.OURS, Twins.TWIN)) {
      http.get(
              "/_cluster/health/"
                  + index
                  + suffix
                  + "?wait_for_status=yellow&wait_for_no_initializing_shards=true&timeout=60s")
          .ok();
    }
    return this;
  }

  void both(String method, String path) {
    both(new TwinRequest(method, path, null));
  }

  void both(TwinRequest request) {
    for (String index : List.of(Twins.OURS, Twins.TWIN)) {
      twins.send(request, index).ok();
    }
  }

  /** As many searches of the indices whose names end so. */
  TwinRun searchOf(String suffix, int count, boolean scores) {
    twins.suffix = suffix;
    search(count, scores);
    twins.suffix = "";
    return this;
  }

  void same(String what, TwinRequest request) {
    String difference = twins.ask(request);
    if (difference != null) {
      differences.add("seed " + seed + ", " + what + ": " + difference);
    }
  }
}
