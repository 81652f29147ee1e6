package io.millrace.guard.templates;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.TemplateScript;

/**
 * An engine of templates whose texts are bounded. What a template writes depends on what it is
 * given and how often its loops go round, so it is given views that count both.
 */
final class BoundedEngine extends SteadyEngine {
  private final TextLedger ledger;
  private final Supplier<@Nullable RenderedText> ofRequest;

  /**
   * @param ofRequest the account of the request for which the calling thread works; {@code null}
   *     where a text is gone with its template
   */
  BoundedEngine(
      ScriptEngine in,
      BooleanSupplier on,
      TextLedger ledger,
      Supplier<@Nullable RenderedText> ofRequest) {
    super(in, on);
    this.ledger = ledger;
    this.ofRequest = ofRequest;
  }

  @Override
  public <F> F compile(
      String name, String code, ScriptContext<F> context, Map<String, String> options) {
    F compiled = super.compile(name, code, context, options);
    if (!(compiled instanceof TemplateScript.Factory factory)) {
      return compiled;
    }
    TemplateSource source = TemplateSource.of(code);
    TemplateScript.Factory bounded =
        values -> on() ? bounded(factory, source, values) : factory.newInstance(values);
    return context.factoryClazz.cast(bounded);
  }

  private TemplateScript bounded(
      TemplateScript.Factory factory, TemplateSource source, Map<String, Object> values) {
    return new TemplateScript(values) {
      @Override
      public String execute() {
        return render(factory, source, values);
      }
    };
  }

  private String render(
      TemplateScript.Factory factory, TemplateSource source, Map<String, Object> values) {
    RenderedText shared = ofRequest.get();
    RenderedText account = shared == null ? ledger.open() : shared;
    Rendering rendering = new Rendering(account, source, BoundedEngine::allocated);
    try {
      return rendering.done(
          factory
              .newInstance(new CountedMap(values == null ? Map.of() : values, rendering))
              .execute());
    } catch (RuntimeException e) {
      RuntimeException refusal = rendering.refusal();
      throw refusal == null ? e : refusal;
    } catch (StackOverflowError e) {
      throw tooDeep(source.length());
    } finally {
      rendering.end();
      if (shared == null) {
        account.close();
      }
    }
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Override
  IllegalArgumentException tooDeep(int length) {
    return new IllegalArgumentException(
        "[template-limit] the template of ["
            + length
            + "] characters has more sections inside one another than the stack of a thread can"
            + " hold; write fewer sections inside one another");
  }
}
