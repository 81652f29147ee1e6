package io.millrace.plugin.example;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryShardContext;

/** {@code {"severe": {}}}: the lines that say ERROR or FATAL. */
final class SevereQuery extends AbstractQueryBuilder<SevereQuery> {
  static final String NAME = "severe";
  private static final ObjectParser<SevereQuery, Void> PARSER =
      new ObjectParser<>(NAME, SevereQuery::new);

  static {
    declareStandardFields(PARSER);
  }

  SevereQuery() {}

  SevereQuery(StreamInput in) throws IOException {
    super(in);
  }

  static SevereQuery parse(XContentParser parser) {
    return PARSER.apply(parser, null);
  }

  @Override
  protected void doWriteTo(StreamOutput out) {}

  @Override
  protected void doXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject(NAME);
    printBoostAndQueryName(builder);
    builder.endObject();
  }

  @Override
  protected Query doToQuery(QueryShardContext context) {
    MappedFieldType field =
        context.fieldMapper(SeverityFeature.FIELD.get(context.getIndexSettings().getSettings()));
    return field == null
        ? new MatchNoDocsQuery("no field holds the severity")
        : field.termsQuery(List.of("ERROR", "FATAL"), context);
  }

  @Override
  protected boolean doEquals(SevereQuery other) {
    return true;
  }

  @Override
  protected int doHashCode() {
    return NAME.hashCode();
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }
}
