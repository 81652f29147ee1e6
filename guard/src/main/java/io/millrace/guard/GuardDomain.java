package io.millrace.guard;

import io.millrace.guard.bodythreads.BodyThreadsFeature;
import io.millrace.guard.breaker.RequestBreakerFeature;
import io.millrace.guard.debt.GcDebtFeature;
import io.millrace.guard.http.HttpGuard;
import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.inbound.InboundBudgetFeature;
import io.millrace.guard.lanes.SearchLanesFeature;
import io.millrace.guard.outbound.OutboundBudget;
import io.millrace.guard.outbound.OutboundBudgetFeature;
import io.millrace.guard.templates.TemplateLimitFeature;
import io.millrace.guard.threads.HeldThreadsFeature;
import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Switch;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class GuardDomain {
  private GuardDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    Switch inboundOn = Feature.switchFor(InboundBudgetFeature.ID, true);
    Switch outboundOn = Feature.switchFor(OutboundBudgetFeature.ID, true);
    InboundBudget inbound = new InboundBudget(inboundOn);
    OutboundBudget outbound = new OutboundBudget(outboundOn);
    RequestBreakerFeature breaker = new RequestBreakerFeature();
    SearchLanesFeature lanes = new SearchLanesFeature();
    BodyThreadsFeature bodies = new BodyThreadsFeature();
    HttpGuard http = new HttpGuard(inbound, outbound, lanes, breaker, bodies);
    return List.of(
        new InboundBudgetFeature(inboundOn, inbound, bodies::waitingBulks, http::declare),
        new OutboundBudgetFeature(outboundOn, outbound, http::declare),
        breaker,
        lanes,
        bodies,
        new HeldThreadsFeature(),
        new TemplateLimitFeature(),
        new GcDebtFeature());
  }
}
