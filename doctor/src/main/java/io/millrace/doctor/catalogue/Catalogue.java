package io.millrace.doctor.catalogue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.check.Check;
import io.millrace.doctor.check.cluster.ClockSkew;
import io.millrace.doctor.check.cluster.FlappingNodes;
import io.millrace.doctor.check.cluster.KnownFaults;
import io.millrace.doctor.check.cluster.ManagersTwo;
import io.millrace.doctor.check.cluster.MinimumMasters;
import io.millrace.doctor.check.cluster.NoManager;
import io.millrace.doctor.check.cluster.NoSnapshots;
import io.millrace.doctor.check.cluster.PendingTasks;
import io.millrace.doctor.check.cluster.VersionsMixed;
import io.millrace.doctor.check.disk.DiskBusy;
import io.millrace.doctor.check.disk.DiskWatermark;
import io.millrace.doctor.check.disk.DisksUneven;
import io.millrace.doctor.check.jvm.AllocationStalls;
import io.millrace.doctor.check.jvm.ClassPointersWide;
import io.millrace.doctor.check.jvm.CollectionTime;
import io.millrace.doctor.check.jvm.CollectorForUse;
import io.millrace.doctor.check.jvm.CompressedOopsLost;
import io.millrace.doctor.check.jvm.CpuThrottled;
import io.millrace.doctor.check.jvm.EarlyPromotion;
import io.millrace.doctor.check.jvm.FileDescriptors;
import io.millrace.doctor.check.jvm.FullCollections;
import io.millrace.doctor.check.jvm.HeapOverHalf;
import io.millrace.doctor.check.jvm.HeapPressure;
import io.millrace.doctor.check.jvm.HeapUnequal;
import io.millrace.doctor.check.jvm.JavaOld;
import io.millrace.doctor.check.jvm.NodesDiffer;
import io.millrace.doctor.check.jvm.OldCollector;
import io.millrace.doctor.check.jvm.ProcessorsHidden;
import io.millrace.doctor.check.jvm.SoftMaxHeapUnset;
import io.millrace.doctor.check.jvm.SwapUsed;
import io.millrace.doctor.check.jvm.YoungCollectionsFrequent;
import io.millrace.doctor.check.jvm.YoungGenerationTiny;
import io.millrace.doctor.check.jvm.YoungPausesLong;
import io.millrace.doctor.check.jvm.ZgcHeadroom;
import io.millrace.doctor.check.layout.AllocationDisabled;
import io.millrace.doctor.check.layout.CodecDefault;
import io.millrace.doctor.check.layout.ExcludedNodes;
import io.millrace.doctor.check.layout.HealthRed;
import io.millrace.doctor.check.layout.HealthYellow;
import io.millrace.doctor.check.layout.IndicesEmpty;
import io.millrace.doctor.check.layout.NotTimeBased;
import io.millrace.doctor.check.layout.OneShardHotSpot;
import io.millrace.doctor.check.layout.ReadOnlyBlock;
import io.millrace.doctor.check.layout.ReplicasMany;
import io.millrace.doctor.check.layout.ReplicasNone;
import io.millrace.doctor.check.layout.ReplicasUnassignable;
import io.millrace.doctor.check.layout.ShardLimitNear;
import io.millrace.doctor.check.layout.ShardsLarge;
import io.millrace.doctor.check.layout.ShardsSkewed;
import io.millrace.doctor.check.layout.ShardsSmall;
import io.millrace.doctor.check.layout.ShardsTooMany;
import io.millrace.doctor.check.layout.ShardsUneven;
import io.millrace.doctor.check.layout.TemplatesCollide;
import io.millrace.doctor.check.layout.TopTalker;
import io.millrace.doctor.check.mapping.DocValuesUnused;
import io.millrace.doctor.check.mapping.FieldsMany;
import io.millrace.doctor.check.mapping.LogsWithoutProfile;
import io.millrace.doctor.check.mapping.LossyDerivedSource;
import io.millrace.doctor.check.mapping.SourceDisabled;
import io.millrace.doctor.check.mapping.TextFielddata;
import io.millrace.doctor.check.mapping.TextKeywordDoubles;
import io.millrace.doctor.check.pipeline.GcLogHumongous;
import io.millrace.doctor.check.pipeline.GcLogTrouble;
import io.millrace.doctor.check.pipeline.GcLogZgcSpikes;
import io.millrace.doctor.check.pipeline.KafkaLag;
import io.millrace.doctor.check.pipeline.KafkaUnbatched;
import io.millrace.doctor.check.pipeline.LagElsewhere;
import io.millrace.doctor.check.pipeline.NodeLogTrouble;
import io.millrace.doctor.check.search.BreakersTripped;
import io.millrace.doctor.check.search.ClientsUneven;
import io.millrace.doctor.check.search.ConnectionChurn;
import io.millrace.doctor.check.search.ConnectionsMany;
import io.millrace.doctor.check.search.ContextsOpen;
import io.millrace.doctor.check.search.LongTasks;
import io.millrace.doctor.check.search.ScriptCompilations;
import io.millrace.doctor.check.search.SearchRejections;
import io.millrace.doctor.check.search.SearchSlow;
import io.millrace.doctor.check.search.SearchesUnlimited;
import io.millrace.doctor.check.write.BulkSmall;
import io.millrace.doctor.check.write.DurabilityAsync;
import io.millrace.doctor.check.write.DurabilityRequest;
import io.millrace.doctor.check.write.FlushFrequent;
import io.millrace.doctor.check.write.FlushThreshold;
import io.millrace.doctor.check.write.GenerationThreshold;
import io.millrace.doctor.check.write.IndexBufferSmall;
import io.millrace.doctor.check.write.IndexingFailures;
import io.millrace.doctor.check.write.IndexingPressure;
import io.millrace.doctor.check.write.IngestFailures;
import io.millrace.doctor.check.write.MergeThreads;
import io.millrace.doctor.check.write.MergesThrottle;
import io.millrace.doctor.check.write.RefreshExplicit;
import io.millrace.doctor.check.write.RefreshTime;
import io.millrace.doctor.check.write.SegmentsMany;
import io.millrace.doctor.check.write.SyncIntervalLong;
import io.millrace.doctor.check.write.TranslogLarge;
import io.millrace.doctor.check.write.WritePoolOversized;
import io.millrace.doctor.check.write.WriteQueueLong;
import io.millrace.doctor.check.write.WriteQueueSmall;
import io.millrace.doctor.check.write.WriteRejections;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Every check, in the order of the catalogue. */
public final class Catalogue {
  private Catalogue() {}

  public static List<Check> all() {
    return List.of(
        new HeapUnequal(),
        new HeapOverHalf(),
        new CompressedOopsLost(),
        new ClassPointersWide(),
        new HeapPressure(),
        new YoungGenerationTiny(),
        new YoungCollectionsFrequent(),
        new YoungPausesLong(),
        new CollectionTime(),
        new FullCollections(),
        new EarlyPromotion(),
        new OldCollector(),
        new JavaOld(),
        new CollectorForUse(),
        new AllocationStalls(),
        new ZgcHeadroom(),
        new SoftMaxHeapUnset(),
        new SwapUsed(),
        new FileDescriptors(),
        new CpuThrottled(),
        new NodesDiffer(),
        new ProcessorsHidden(),
        new WriteRejections(),
        new WriteQueueSmall(),
        new WriteQueueLong(),
        new WritePoolOversized(),
        new BulkSmall(),
        new IndexingFailures(),
        new IndexingPressure(),
        new IngestFailures(),
        new RefreshExplicit(),
        new RefreshTime(),
        new DurabilityAsync(),
        new DurabilityRequest(),
        new SyncIntervalLong(),
        new FlushThreshold(),
        new FlushFrequent(),
        new GenerationThreshold(),
        new TranslogLarge(),
        new MergesThrottle(),
        new MergeThreads(),
        new SegmentsMany(),
        new IndexBufferSmall(),
        new HealthRed(),
        new HealthYellow(),
        new ShardsTooMany(),
        new ShardsSmall(),
        new ShardsLarge(),
        new ShardsSkewed(),
        new OneShardHotSpot(),
        new ShardsUneven(),
        new ShardLimitNear(),
        new ReplicasMany(),
        new ReplicasNone(),
        new ReplicasUnassignable(),
        new NotTimeBased(),
        new IndicesEmpty(),
        new TopTalker(),
        new CodecDefault(),
        new ReadOnlyBlock(),
        new AllocationDisabled(),
        new ExcludedNodes(),
        new TemplatesCollide(),
        new FieldsMany(),
        new TextKeywordDoubles(),
        new LogsWithoutProfile(),
        new LossyDerivedSource(),
        new SourceDisabled(),
        new TextFielddata(),
        new DocValuesUnused(),
        new DiskWatermark(),
        new DisksUneven(),
        new DiskBusy(),
        new SearchRejections(),
        new SearchSlow(),
        new LongTasks(),
        new SearchesUnlimited(),
        new BreakersTripped(),
        new ScriptCompilations(),
        new ContextsOpen(),
        new ConnectionChurn(),
        new ClientsUneven(),
        new ConnectionsMany(),
        new NoManager(),
        new ManagersTwo(),
        new MinimumMasters(),
        new PendingTasks(),
        new FlappingNodes(),
        new VersionsMixed(),
        new KnownFaults(),
        new NoSnapshots(),
        new ClockSkew(),
        new GcLogTrouble(),
        new GcLogHumongous(),
        new GcLogZgcSpikes(),
        new NodeLogTrouble(),
        new KafkaUnbatched(),
        new KafkaLag(),
        new LagElsewhere());
  }

  /**
   * @throws ExpectedFailure naming the checks whose id is near, when none has this id
   */
  public static Check byId(String id) {
    List<Check> all = all();
    for (Check check : all) {
      if (check.about().id().equals(id.strip().toLowerCase(Locale.ROOT).replace('_', '-'))) {
        return check;
      }
    }
    List<String> near =
        ids(all).stream()
            .filter(other ->
                Arrays.stream(id.split("-"))
                    .anyMatch(word ->
                        word.length() > 2
                            && (other.contains(word)
                                || word.startsWith(other.replaceFirst("-.*", "")))))
            .toList();
    List<String> named = near.isEmpty() ? Spelling.nearest(id, ids(all)) : near;
    throw new ExpectedFailure(
        ExitCode.USAGE,
        "no check is called [" + id + "]",
        named.isEmpty()
            ? "'millrace doctor --list' names them all."
            : "Did you mean " + String.join(", ", named) + "?");
  }

  private static List<String> ids(List<Check> checks) {
    return checks.stream().map(check -> check.about().id()).toList();
  }
}
