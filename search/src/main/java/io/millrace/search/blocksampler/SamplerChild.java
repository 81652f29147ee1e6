package io.millrace.search.blocksampler;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.DateFieldMapper.DateFieldType;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.NumberFieldMapper.NumberFieldType;
import org.opensearch.index.mapper.NumberFieldMapper.NumberType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.bucket.terms.MultiTermsAggregationBuilder;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregationBuilder;
import org.opensearch.search.aggregations.metrics.MaxAggregationBuilder;
import org.opensearch.search.aggregations.metrics.MinAggregationBuilder;
import org.opensearch.search.aggregations.support.ValuesSourceAggregationBuilder;

/**
 * What an aggregation directly inside of the sampler is given.
 *
 * @param name its name
 * @param sampled whether the sample tells something about it; otherwise it sees every document
 * @param extreme the field of a minimum or maximum whose values can be told by ranges of documents;
 *     null for everything else
 * @param greatest whether it looks for the maximum
 */
record SamplerChild(String name, boolean sampled, @Nullable String extreme, boolean greatest) {
  /**
   * Those whose value of all documents is that of a sample, or grows with it. A minimum, a maximum,
   * the number of different values or the best hits of a sample are none of those of all.
   */
  private static final Set<String> ESTIMABLE =
      Set.of(
          "sum",
          "value_count",
          "avg",
          "weighted_avg",
          "percentiles",
          "percentile_ranks",
          "terms",
          "multi_terms",
          "histogram",
          "date_histogram",
          "range",
          "date_range",
          "ip_range",
          "filter",
          "filters",
          "missing");

  static SamplerChild of(AggregationBuilder builder, QueryShardContext context) {
    return new SamplerChild(
        builder.getName(),
        estimable(builder),
        extreme(builder, context),
        builder instanceof MaxAggregationBuilder);
  }

  private static boolean estimable(AggregationBuilder builder) {
    return ESTIMABLE.contains(builder.getType())
        && !showsErrors(builder)
        && builder.getSubAggregations().stream().allMatch(SamplerChild::estimable);
  }

  /** How far the counts of terms may be off for other reasons: the intervals would not know it. */
  private static boolean showsErrors(AggregationBuilder builder) {
    return (builder instanceof TermsAggregationBuilder terms && terms.showTermDocCountError())
        || (builder instanceof MultiTermsAggregationBuilder many && many.showTermDocCountError());
  }

  private static @Nullable String extreme(AggregationBuilder builder, QueryShardContext context) {
    if (!(builder instanceof MinAggregationBuilder || builder instanceof MaxAggregationBuilder)) {
      return null;
    }
    ValuesSourceAggregationBuilder<?> values = (ValuesSourceAggregationBuilder<?>) builder;
    if (values.field() == null || values.script() != null || values.missing() != null) {
      return null;
    }
    MappedFieldType type = context.fieldMapper(values.field());
    // the numbers of an unsigned long do not stand in the order of its values
    boolean ordered =
        type instanceof DateFieldType
            || (type instanceof NumberFieldType number
                && !number.typeName().equals(NumberType.UNSIGNED_LONG.typeName()));
    return ordered ? type.name() : null;
  }
}
