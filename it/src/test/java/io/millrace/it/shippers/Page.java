package io.millrace.it.shippers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page of shippers, whose configurations the tests run. */
final class Page {
  private static final Path PAGE = Path.of("../pipelines/docs/shippers.md");
  private static final String FENCE = "```";

  private Page() {}

  /** The block below the line that begins with the shipper's name, for a node at this port. */
  static String configuration(String shipper, int port) throws IOException {
    String page = Files.readString(PAGE);
    int name = page.indexOf("\n" + shipper, page.indexOf("## Configurations"));
    int from = page.indexOf('\n', page.indexOf(FENCE, name)) + 1;
    String block = page.substring(from, page.indexOf(FENCE, from));
    assertTrue(name > 0 && block.contains("9200"), "no configuration of " + shipper);
    return block.replace("localhost", "127.0.0.1").replace("9200", "" + port);
  }
}
