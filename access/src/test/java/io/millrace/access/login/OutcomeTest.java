package io.millrace.access.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.identity.Identity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes on in place of credentials: a refusal stays the same one, whoever wrote it. */
class OutcomeTest {
  @Test
  void aRefusalComesBackAsItWas() {
    for (Outcome outcome :
        List.of(
            new Outcome.Unknown(Outcome.Reason.NO_HEADER, null),
            new Outcome.Unknown(Outcome.Reason.NO_CREDENTIAL, null),
            new Outcome.Unknown(Outcome.Reason.WRONG, "anna: \u00e9\n\"x\""),
            new Outcome.Later(17, "anna"),
            new Outcome.Later(1, null))) {
      assertEquals(outcome, Outcome.refused(outcome.refusal().orElseThrow()));
    }
    assertTrue(new Outcome.Known(new Identity(Identity.Kind.USER, "a")).refusal().isEmpty());
  }

  @Test
  void whateverAClientWritesThereIsARefusal() {
    for (String header :
        List.of(
            "Refused ",
            "Refused KNOWN",
            "Refused x y",
            "Refused WRONG !",
            "Refused -5",
            "Refused 1 2 3")) {
      Outcome outcome = Outcome.refused(header);
      assertTrue(outcome instanceof Outcome.Unknown || outcome instanceof Outcome.Later, header);
    }
    assertEquals(new Outcome.Later(3_600, null), Outcome.refused("Refused 2147483647"));
    assertNull(Outcome.refused(null));
    assertNull(Outcome.refused("Basic YTpi"));
    assertNull(Outcome.refused("refused WRONG"));
  }
}
