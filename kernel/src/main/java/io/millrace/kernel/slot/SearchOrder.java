package io.millrace.kernel.slot;

/** The places of the features' search listeners: those before are told of each phase first. */
public enum SearchOrder {
  /** Chooses how a query finds what it finds, before anything is put around it. */
  PLAN,
  /** Chooses how a fetch reads what it reads. */
  FETCH,
  /** Puts a search under its limits before it does any work. */
  LIMIT,
  /** Keeps account of the searches that run. */
  ACCOUNT,
  /** Does the work of a phase in the place of stock, when all others know that it has begun. */
  WORK
}
