package io.millrace.guard.templates;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.ScriptException;

/**
 * An engine that outlives every script: one with more parts inside one another than the stack of a
 * thread can hold is the fault of who sent it.
 *
 * <p>Lucene's expressions are read and compiled part by part, each inside the one before it
 * (Lucene's JavascriptCompiler): 20,000 parentheses, or as many {@code +1}, are a
 * StackOverflowError on a thread of searches, which ends the node
 * (OpenSearchUncaughtExceptionHandler at 3.8.0). Painless catches its own.
 */
class SteadyEngine implements ScriptEngine {
  private final ScriptEngine in;
  private final BooleanSupplier on;

  SteadyEngine(ScriptEngine in, BooleanSupplier on) {
    this.in = in;
    this.on = on;
  }

  /** Whether the feature is on; off, scripts are left to the engine. */
  final boolean on() {
    return on.getAsBoolean();
  }

  @Override
  public String getType() {
    return in.getType();
  }

  @Override
  public Set<ScriptContext<?>> getSupportedContexts() {
    return in.getSupportedContexts();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  @Override
  public <F> F compile(
      String name, String code, ScriptContext<F> context, Map<String, String> options) {
    try {
      return in.compile(name, code, context, options);
    } catch (StackOverflowError e) {
      if (!on()) {
        throw e;
      }
      IllegalArgumentException why = tooDeep(code.length());
      throw new ScriptException(why.getMessage(), why, List.of(), name, in.getType());
    }
  }

  /**
   * Why a script is refused.
   *
   * @param length of the script, in characters
   */
  IllegalArgumentException tooDeep(int length) {
    return new IllegalArgumentException(
        "the script of ["
            + length
            + "] characters in ["
            + in.getType()
            + "] has more parts inside one another than the stack of a thread can hold; write fewer"
            + " parentheses and shorter sums");
  }
}
