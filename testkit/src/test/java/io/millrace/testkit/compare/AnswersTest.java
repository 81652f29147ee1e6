package io.millrace.testkit.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonHttp;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static JsonNode json(String text) throws JsonProcessingException {
    return JsonHttp.MAPPER.readTree(text.replace('\'', '"'));
  }

  @Test
  void timeAndOrderOfFieldsDoNotCount() throws Exception {
    Answers answers = new Answers();
    assertEquals(
        answers.normal(json("{'took':3,'a':{'x':1,'y':[1,2]}}")),
        answers.normal(json("{'a':{'y':[1,2],'x':1},'took':4}")));
  }

  @Test
  void valuesAndOrderOfArraysCount() throws Exception {
    Answers answers = new Answers();
    assertNotEquals(answers.normal(json("{'a':[1,2]}")), answers.normal(json("{'a':[2,1]}")));
    assertNotEquals(answers.normal(json("{'a':1}")), answers.normal(json("{'a':1.0}")));
    assertNotEquals(answers.normal(json("{'a':1}")), answers.normal(json("{'a':1,'b':null}")));
    assertNotEquals(answers.normal(json("{'_id':'a'}")), answers.normal(json("{'_id':'b'}")));
  }

  @Test
  void idsAndNamesAreForgottenWhenAsked() throws Exception {
    Answers answers = new Answers().forgetIds().forget("_routing");
    assertEquals(
        answers.normal(
            json("[{'_index':'one','_id':'a','_seq_no':1,'_routing':'r','n':1}]"), "one", "i"),
        answers.normal(json("[{'_index':'two','_id':'b','_seq_no':2,'n':1}]"), "two", "i"));
  }
}
