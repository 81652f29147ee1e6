package io.millrace.write.lenientparsing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NearJsonTest {
  private static void mended(String given, String json) {
    assertEquals(json, NearJson.mend(given));
  }

  @Test
  void jsonStaysAsItIs() {
    for (String json :
        new String[] {
          "{}",
          "{\"a\":[1,-0,2.5e-3,true,false,null],\"b\":{\"c\":\"x\\n\\\"\\u00e9\\\\ \\/\"}}",
          " { \"a b\" : \"'\" }\n",
          "[]",
          "\"é\\ud83d\\ude00\""
        }) {
      mended(json, json);
    }
  }

  @Test
  void backslashesThatEscapeNothingStandForThemselves() {
    mended("{\"a\":\"C:\\Windows\"}", "{\"a\":\"C:\\\\Windows\"}");
    mended("{\"a\":\"\\x22\\u12\"}", "{\"a\":\"\\\\x22\\\\u12\"}");
    mended("{\"a\":\"\\u12g4\"}", "{\"a\":\"\\\\u12g4\"}");
  }

  @Test
  void bareWordsAreStrings() {
    mended("{a:None,\"b\":007,\"c\":+7}", "{\"a\":\"None\",\"b\":\"007\",\"c\":\"+7\"}");
    mended("[.5, 5., -, C:\\x]", "[\".5\", \"5.\", \"-\", \"C\":\"\\\\x\"]");
  }

  @Test
  void singleQuotesAreDoubleOnes() {
    mended("{'a': 'it\\'s \"b\"'}", "{\"a\": \"it's \\\"b\\\"\"}");
  }

  @Test
  void absentValuesAreNull() {
    mended("{\"a\":,\"b\": }", "{\"a\":null,\"b\": null}");
  }

  @Test
  void whatEndsTooEarlyIsNotCompleted() {
    mended("{\"a\":\"b", "{\"a\":\"b");
    mended("{\"a\":\"b\\", "{\"a\":\"b\\\\");
    mended("{\"a\":\"\\u1", "{\"a\":\"\\\\u1");
    mended("", "");
  }
}
