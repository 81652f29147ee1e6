package io.millrace.plugin.access;

import java.util.List;
import java.util.Map;

/** Who gets in, how users, roles and keys come and go, and what never shows. */
public class AccessNodeTests extends AccessNodeTestCase {

  public void testStrangersGetNothing() throws Exception {
    for (String path : List.of("/", "/_cat", "/_search", "/_millrace", "/_cluster/state", "/no")) {
      Answer answer = call(null, "GET", path);
      assertStatus(401, answer);
      assertTrue(answer.text(), answer.text().contains("Authorization: Basic"));
    }
    assertStatus(401, call(basic("admin", "wrong horse"), "GET", "/"));
    assertStatus(401, call(basic("nobody", PASSWORD), "GET", "/"));
    assertStatus(401, call("Bearer x", "GET", "/"));
    assertStatus(401, call("Basic !!!", "GET", "/"));
    assertStatus(200, call(ADMIN, "GET", "/"));
  }

  public void testUsersRolesAndPasswords() throws Exception {
    String reader = user("reader", "books-*", "read");
    admin("PUT", "/books-1/_doc/1?refresh=true", "{\"n\":1}");
    assertStatus(200, call(reader, "GET", "/books-1/_doc/1"));
    assertStatus(403, call(reader, "PUT", "/books-1/_doc/2", "{\"n\":2}"));
    Answer me = call(reader, "GET", "/_millrace/access/whoami");
    assertEquals("reader", me.at("name"));
    assertEquals(List.of("reader"), me.at("roles"));
    // their own password, and nobody else's
    assertStatus(
        200, call(reader, "PUT", "/_millrace/access/password", "{\"password\":\"a new horse\"}"));
    assertStatus(401, call(reader, "GET", "/"));
    String changed = basic("reader", "a new horse");
    assertStatus(200, call(changed, "GET", "/books-1/_doc/1"));
    assertStatus(403, call(changed, "GET", "/_millrace/access/users"));
    assertStatus(
        403, call(changed, "PUT", "/_millrace/access/users/reader", "{\"roles\":[\"superuser\"]}"));
    // a role that is gone gives nothing; a user who is gone is out at once
    admin("DELETE", "/_millrace/access/roles/reader", "");
    assertStatus(403, call(changed, "GET", "/books-1/_doc/1"));
    admin("DELETE", "/_millrace/access/users/reader", "");
    assertStatus(401, call(changed, "GET", "/"));
  }

  public void testKeysAreRevokedAndExpire() throws Exception {
    String owner = user("owner", "parcels-*", "read", "append");
    admin("PUT", "/parcels-1/_doc/1?refresh=true", "{\"n\":1}");
    Answer made = call(owner, "POST", "/_millrace/access/keys", "{\"name\":\"shipper\"}");
    assertStatus(201, made);
    String key = "ApiKey " + made.string("encoded");
    assertStatus(200, call(key, "GET", "/parcels-1/_doc/1"));
    assertEquals("key", call(key, "GET", "/_millrace/access/whoami").at("kind"));
    String asBasic = basic(made.string("id"), made.string("secret"));
    assertStatus(200, call(asBasic, "GET", "/parcels-1/_doc/1"));
    assertStatus(401, call(basic(made.string("id"), "no secret"), "GET", "/"));
    // a key makes no key, and gives no role that its owner has not
    assertStatus(400, call(key, "POST", "/_millrace/access/keys", "{\"name\":\"more\"}"));
    String more = "{\"name\":\"more\",\"roles\":[\"superuser\"]}";
    assertStatus(403, call(owner, "POST", "/_millrace/access/keys", more));
    assertStatus(200, call(owner, "DELETE", "/_millrace/access/keys/" + made.string("id")));
    assertStatus(401, call(key, "GET", "/parcels-1/_doc/1"));
    Answer brief =
        call(owner, "POST", "/_millrace/access/keys", "{\"name\":\"b\",\"expires_in\":\"1ms\"}");
    String over = "ApiKey " + brief.string("encoded");
    assertBusy(() -> assertStatus(401, call(over, "GET", "/")));
    String wrong = "{\"name\":\"b\",\"expires_in\":\"soon\"}";
    assertTrue(call(owner, "POST", "/_millrace/access/keys", wrong).text().contains("expires_in"));
  }

  public void testNoHashShowsAnywhere() throws Exception {
    withRoles("hidden", "read-only");
    for (String path :
        List.of(
            "/_cluster/state",
            "/_cluster/state/_all",
            "/_millrace/access/users",
            "/_millrace/access/users/hidden",
            "/_nodes",
            "/_cluster/settings?include_defaults=true")) {
      String text = admin("GET", path, "").text();
      assertFalse(path, text.contains("pbkdf2"));
      assertFalse(path, text.contains("millrace_access\""));
    }
  }

  public void testBadInputNamesFieldValueAndRemedy() throws Exception {
    Map<String, String> wrong =
        Map.of(
            "{\"password\":\"short\"}", "8 to 256",
            "{\"roles\":[]}", "[password]",
            "{\"password\":\"long enough\",\"roles\":[\"none\"]}", "[none], which does not exist",
            "{\"pasword\":\"x\"}", "[pasword]",
            "{\"password\":7}", "[password] is no string");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      Answer answer = call(ADMIN, "PUT", "/_millrace/access/users/wrong", each.getKey());
      assertStatus(400, answer);
      assertTrue(answer.text(), answer.text().contains(each.getValue()));
    }
    String role = "{\"indices\":[{\"names\":[\"a\"],\"privileges\":[\"own\"]}]}";
    Answer answer = call(ADMIN, "PUT", "/_millrace/access/roles/wrong", role);
    assertStatus(400, answer);
    assertTrue(answer.text(), answer.text().contains("has [own]; give some of [read"));
    assertStatus(400, call(ADMIN, "PUT", "/_millrace/access/roles/superuser", "{}"));
    assertStatus(400, call(ADMIN, "PUT", "/_millrace/access/users/a%20b", "{\"roles\":[]}"));
    assertStatus(404, call(ADMIN, "DELETE", "/_millrace/access/users/nobody"));
  }

  public void testAPageOfAnotherSiteWritesNothing() throws Exception {
    Map<String, String> foreign = Map.of("Sec-Fetch-Site", "cross-site");
    assertStatus(403, call(ADMIN, "PUT", "/foreign", "", foreign));
    assertStatus(404, call(ADMIN, "GET", "/foreign", "", foreign));
  }

  public void testWhoeverGuessesIsSlowedDownAndNobodyElse() throws Exception {
    String known = withRoles("known", "read-only");
    assertStatus(200, call(known, "GET", "/"));
    int delayed = 0;
    for (int i = 0; i < 12; i++) {
      Answer answer = call(basic("known", "guess number " + i), "GET", "/");
      assertTrue(answer.toString(), answer.status() == 401 || answer.status() == 429);
      delayed += answer.status() == 429 ? 1 : 0;
      // its credential was checked before
      assertStatus(200, call(known, "GET", "/"));
    }
    assertTrue("none of 12 guesses was delayed", delayed > 0);
  }
}
