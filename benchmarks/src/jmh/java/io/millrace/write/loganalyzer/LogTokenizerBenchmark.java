package io.millrace.write.loganalyzer;

import io.millrace.corpus.LogGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The tokens of one log message: the log analyzer against the standard one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LogTokenizerBenchmark {
  private static final int MESSAGES = 4096;
  private static final String FIELD = "\"message\":\"";

  private final String[] messages = new String[MESSAGES];
  private final Analyzer log = new LogAnalyzer(WholeTokens.WORDS);
  private final Analyzer standard = new StandardAnalyzer();
  private int next;

  public LogTokenizerBenchmark() {
    LogGenerator generator = new LogGenerator(7);
    for (int i = 0; i < MESSAGES; i++) {
      String document = new String(generator.next(), StandardCharsets.UTF_8);
      int start = document.indexOf(FIELD) + FIELD.length();
      messages[i] = document.substring(start, document.length() - 2);
    }
  }

  @Benchmark
  public int log() throws IOException {
    return tokens(log);
  }

  @Benchmark
  public int standard() throws IOException {
    return tokens(standard);
  }

  private int tokens(Analyzer analyzer) throws IOException {
    int tokens = 0;
    try (TokenStream stream =
        analyzer.tokenStream("message", messages[next++ & (MESSAGES - 1)])) {
      stream.reset();
      while (stream.incrementToken()) {
        tokens++;
      }
      stream.end();
    }
    return tokens;
  }
}
