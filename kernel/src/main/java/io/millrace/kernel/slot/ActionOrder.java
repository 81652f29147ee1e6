package io.millrace.kernel.slot;

/**
 * The places of the features' action filters: those before see a request before it has cost
 * anything, those after see what will be executed.
 *
 * <p>Filters of one place see a request in no particular order, so they must not depend on each
 * other. Filters of other plugins stand where their own number puts them; most take 0.
 */
public enum ActionOrder {
  /** Refuses whoever may not, before anything is said of the request. */
  AUTHORIZE(Integer.MIN_VALUE),
  /** Refuses whatever it is, because the node can take no more. */
  SHED(-2000),
  /** Refuses one request that is too large. */
  LIMIT(-1000),
  /** Refuses a request for what it asks, with an error that says what is wrong. */
  VALIDATE(0),
  /** Changes a request that nothing refused, after every other filter has seen it. */
  REWRITE(Integer.MAX_VALUE);

  private final int order;

  ActionOrder(int order) {
    this.order = order;
  }

  /** What {@code ActionFilter#order} answers at this place. */
  public int order() {
    return order;
  }
}
