package io.millrace.write.logtext;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * At least one body for every kind of query that a node of stock has, on the field {@code message}
 * where the kind can name a field. {@code #} stands for the index that is asked.
 */
final class EveryQuery {
  private static final String MATCH = "{'match':{'message':'wsgi'}}";
  private static final String SPAN = "{'span_term':{'message':'wsgi'}}";

  private EveryQuery() {}

  /** Bodies by the name of the kind. */
  static Map<String, List<String>> bodies() {
    Map<String, List<String>> all = new TreeMap<>();
    field(all);
    text(all);
    spans(all);
    compound(all);
    all.replaceAll((kind, bodies) ->
        bodies.stream().map(b -> "{'" + kind + "':" + b + "}").map(EveryQuery::json).toList());
    return all;
  }

  private static String json(String body) {
    return body.replace('\'', '"');
  }

  private static void field(Map<String, List<String>> all) {
    all.put(
        "term",
        List.of(
            "{'message':'wsgi'}",
            "{'message':{'value':'WSGI','case_insensitive':true}}",
            "{'message':'nova.wsgi.server'}",
            "{'message':'\\u0003'}"));
    all.put(
        "terms",
        List.of(
            "{'message':['opened','nothing']}",
            "{'message':{'index':'lookup','id':'words','path':'words'}}"));
    all.put(
        "terms_set",
        List.of(
            "{'message':{'terms':['opened','wsgi','x'],"
                + "'minimum_should_match_field':'required'}}"));
    all.put("range", List.of("{'message':{'gte':'w','lt':'x'}}", "{'message':{'lte':'7'}}"));
    all.put(
        "prefix",
        List.of("{'message':'wsg'}", "{'message':{'value':'wsg','rewrite':'scoring_boolean'}}"));
    all.put(
        "wildcard",
        List.of(
            "{'message':'w*gi'}",
            "{'message':{'value':'w*gi','rewrite':'top_terms_2'}}",
            "{'message':{'value':'*wsgi*opened*'}}"));
    all.put(
        "regexp",
        List.of(
            "{'message':'ws.i|op.*'}",
            "{'message':{'value':'op.*','rewrite':'top_terms_boost_5'}}"));
    all.put(
        "fuzzy",
        List.of("{'message':'wsgy'}", "{'message':{'value':'opend','rewrite':'constant_score'}}"));
    all.put("exists", List.of("{'field':'message'}"));
    all.put("distance_feature", List.of("{'field':'message','origin':'now','pivot':'1d'}"));
    all.put("geo_distance", List.of("{'distance':'1km','message':[1,1]}"));
    all.put("geo_bounding_box", List.of("{'message':{'top_left':[0,1],'bottom_right':[1,0]}}"));
    all.put("geo_polygon", List.of("{'message':{'points':[[0,0],[1,1],[0,1]]}}"));
    all.put("geo_shape", List.of("{'message':{'shape':{'type':'point','coordinates':[1,1]}}}"));
    all.put("ids", List.of("{'values':['1','9']}"));
  }

  private static void text(Map<String, List<String>> all) {
    all.put(
        "match",
        List.of(
            "{'message':{'query':'nova.wsgi.server opened'}}",
            "{'message':{'query':'nova.wsgi.server','analyzer':'millrace_log','operator':'and'}}",
            "{'message':{'query':'nova.wsgi.server','analyzer':'millrace_log_words'}}",
            "{'message':{'query':'opened closed','minimum_should_match':2}}",
            "{'message':{'query':'opend','fuzziness':1}}",
            "{'message':{'query':'opened session','cutoff_frequency':0.001}}"));
    all.put(
        "match_phrase",
        List.of(
            "{'message':'session opened'}",
            "{'message':{'query':'opened session','slop':2}}",
            "{'message':{'query':'nova.wsgi.server','analyzer':'millrace_log'}}"));
    all.put(
        "match_phrase_prefix",
        List.of("{'message':'opened sess'}", "{'message':{'query':'opened s','slop':1}}"));
    all.put(
        "match_bool_prefix",
        List.of(
            "{'message':'opened sess'}",
            "{'message':{'query':'nova.wsgi.serv','analyzer':'millrace_log','operator':'and'}}"));
    all.put(
        "multi_match",
        List.of(
            "{'query':'opened session','fields':['message','other']}",
            "{'query':'opened session','type':'cross_fields','fields':['message','other']}",
            "{'query':'nova.wsgi.server opened','type':'cross_fields','fields':['message^2','other'],'analyzer':'millrace_log_words','operator':'and'}",
            "{'query':'opened sess','type':'bool_prefix','fields':['message','other']}",
            "{'query':'session opened','type':'phrase','fields':['message','other']}",
            "{'query':'opened sess','type':'phrase_prefix','fields':['message']}",
            "{'query':'opened','type':'most_fields','fields':['mess*']}"));
    all.put(
        "combined_fields",
        List.of(
            "{'query':'opened session','fields':['message']}",
            "{'query':'opened session','fields':['message','other'],'operator':'and'}"));
    all.put(
        "common",
        List.of(
            "{'message':{'query':'opened session 7','cutoff_frequency':0.001}}",
            "{'message':{'query':'opened rare','cutoff_frequency':2,'low_freq_operator':'and'}}",
            "{'message':{'query':'wsgi 7','cutoff_frequency':0.3,'high_freq_operator':'and'}}"));
    all.put(
        "query_string",
        List.of(
            "{'query':'message:(opened AND session) OR message:rare'}",
            "{'query':'wsgi.serv*','fields':['message'],'analyze_wildcard':true,'default_operator':'and'}",
            "{'query':'ws?i','fields':['message'],'analyzer':'millrace_log_parts'}",
            "{'query':'*wsgi*opened*','fields':['message'],'analyzer':'millrace_log_parts'}",
            "{'query':'message:[w TO x} AND message:/op.*/ AND message:opend~1'}",
            "{'query':'nova.wsgi.server','fields':['message'],'analyzer':'millrace_log'}",
            "{'query':'\\\"session opened\\\"~2','fields':['message']}"));
    all.put(
        "simple_query_string",
        List.of(
            "{'query':'wsg*','fields':['message'],'analyze_wildcard':true}",
            "{'query':'opened-sess*','fields':['message'],'analyzer':'millrace_log_parts','analyze_wildcard':true}",
            "{'query':'opend~1 +session -closed','fields':['message']}",
            "{'query':'nova.wsgi.server','fields':['message'],'analyzer':'millrace_log','default_operator':'and'}"));
    all.put(
        "more_like_this",
        List.of(
            "{'fields':['message'],'like':'wsgi opened','min_term_freq':1,'min_doc_freq':1}",
            "{'fields':['message'],'like':[{'_index':'#','_id':'9'}],'min_term_freq':1,'min_doc_freq':5,'minimum_should_match':'50%'}",
            "{'fields':['message'],'like':[{'_index':'#','_id':'9'}],'min_term_freq':1,'min_doc_freq':1,'max_doc_freq':4}"));
    all.put(
        "intervals",
        List.of(
            "{'message':{'match':{'query':'session opened'}}}",
            "{'message':{'match':{'query':'opened wsgi','ordered':true,'max_gaps':3}}}",
            "{'message':{'match':{'query':'wsgi session','ordered':true,'max_gaps':3}}}",
            "{'message':{'match':{'query':'nova.wsgi.server session'}}}",
            "{'message':{'any_of':{'intervals':[{'match':{'query':'rare'}},"
                + "{'match':{'query':'session opened twice','ordered':true,'max_gaps':0}}]}}}",
            "{'message':{'all_of':{'ordered':true,'intervals':[{'prefix':{'prefix':'open'}},"
                + "{'match':{'query':'session','filter':"
                + "{'not_contained_by':{'match':{'query':'opened twice'}}}}}]}}}",
            "{'message':{'prefix':{'prefix':'sess'}}}"));
    all.put("script", List.of("{'script':{'lang':'mockscript','source':'none'}}"));
  }

  private static void spans(Map<String, List<String>> all) {
    all.put("span_term", List.of("{'message':'wsgi'}", "{'message':'absent'}", "{'message':'7'}"));
    all.put(
        "span_multi",
        List.of(
            "{'match':{'prefix':{'message':'wsg'}}}", "{'match':{'fuzzy':{'message':'wsgy'}}}"));
    all.put("span_first", List.of("{'match':" + SPAN + ",'end':3}"));
    all.put("span_near", List.of("{'clauses':[" + SPAN + ",{'span_term':{'message':'server'}}]}"));
    all.put("span_gap", List.of("{'message':1}"));
    all.put("span_or", List.of("{'clauses':[" + SPAN + "]}"));
    all.put(
        "span_not", List.of("{'include':" + SPAN + ",'exclude':{'span_term':{'message':'x'}}}"));
    all.put("span_within", List.of("{'little':" + SPAN + ",'big':" + SPAN + "}"));
    all.put("span_containing", List.of("{'little':" + SPAN + ",'big':" + SPAN + "}"));
    all.put("span_field_masking", List.of("{'query':" + SPAN + ",'field':'other'}"));
  }

  private static void compound(Map<String, List<String>> all) {
    String common = "{'common':{'message':{'query':'opened session','cutoff_frequency':0.001}}}";
    all.put("bool", List.of("{'must':" + common + ",'must_not':{'match':{'message':'7'}}}"));
    all.put(
        "boosting",
        List.of("{'positive':" + common + ",'negative':" + MATCH + ",'negative_boost':0.2}"));
    all.put("constant_score", List.of("{'filter':" + common + "}"));
    all.put("dis_max", List.of("{'queries':[" + common + "," + MATCH + "]}"));
    all.put("function_score", List.of("{'query':" + common + ",'weight':2}"));
    all.put(
        "nested",
        List.of(
            "{'path':'objects','query':{'match':{'objects.text':'opened'}}}",
            "{'path':'objects','query':{'common':{'objects.text':{'query':'opened','cutoff_frequency':0.001}}}}"));
    all.put(
        "wrapper",
        List.of(
            "{'query':'eyJjb21tb24iOnsibWVzc2FnZSI6eyJxdWVyeSI6Im9wZW5lZCIsImN1dG9mZl9mcmVxdWVuY3kiOjAuMDAxfX19'}"));
    all.put(
        "script_score",
        List.of("{'query':" + MATCH + ",'script':{'lang':'mockscript','source':'none'}}"));
    all.put("template", List.of(MATCH));
    all.put("match_all", List.of("{}"));
    all.put("match_none", List.of("{}"));
  }
}
