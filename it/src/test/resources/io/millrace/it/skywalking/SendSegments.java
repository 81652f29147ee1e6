package io.millrace.it.skywalking;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.skywalking.apm.network.common.v3.Commands;
import org.apache.skywalking.apm.network.common.v3.KeyStringValuePair;
import org.apache.skywalking.apm.network.language.agent.v3.Log;
import org.apache.skywalking.apm.network.language.agent.v3.RefType;
import org.apache.skywalking.apm.network.language.agent.v3.SegmentObject;
import org.apache.skywalking.apm.network.language.agent.v3.SegmentReference;
import org.apache.skywalking.apm.network.language.agent.v3.SpanLayer;
import org.apache.skywalking.apm.network.language.agent.v3.SpanObject;
import org.apache.skywalking.apm.network.language.agent.v3.SpanType;
import org.apache.skywalking.apm.network.language.agent.v3.TraceSegmentReportServiceGrpc;
import org.apache.skywalking.apm.network.logging.v3.LogData;
import org.apache.skywalking.apm.network.logging.v3.LogDataBody;
import org.apache.skywalking.apm.network.logging.v3.LogReportServiceGrpc;
import org.apache.skywalking.apm.network.logging.v3.LogTags;
import org.apache.skywalking.apm.network.logging.v3.TextLog;
import org.apache.skywalking.apm.network.logging.v3.TraceContext;

/**
 * Reports traces of a shop to an OAP by gRPC, as agents do. The same arguments give the same bytes.
 *
 * <p>A trace has four segments: the gateway, the orders that it calls, the billing that reads their
 * message, and a thread of the orders. Its id, its urls and its errors are formed as those of
 * SkyWalking's Java agent.
 *
 * <p>Arguments: port of the OAP on loopback, number of traces, time of the first one and of the
 * last one (milliseconds since 1970), number of logs.
 */
public final class SendSegments {
  private static final int STREAM = 500;

  private static final int TOMCAT = 1;
  private static final int HTTP_CLIENT = 2;
  private static final int SPRING = 14;
  private static final int MYSQL = 33;
  private static final int ROCKET_PRODUCER = 38;
  private static final int ROCKET_CONSUMER = 39;
  private static final int REDISSON = 56;
  private static final int THREADS = 80;
  private static final int DRUID = 115;

  private static final String[] RESOURCES = {
    "orders", "carts", "items", "users", "coupons", "reviews", "refunds", "invoices"
  };
  private static final String[] STATEMENTS = {
    "select id, user_id, state, amount, created_at from t_order where user_id = ? and state in (?, ?, ?) order by created_at desc limit ?",
    "update t_order set state = ?, updated_at = now() where id = ? and version = ?",
    "insert into t_order_item (order_id, item_id, quantity, price, discount) values (?, ?, ?, ?, ?)",
    "select i.id, i.title, i.price, s.quantity from t_item i join t_stock s on s.item_id = i.id where i.id in (?, ?, ?, ?)",
    "select count(*) from t_coupon where user_id = ? and expires_at > ? and used = 0"
  };

  private final SplittableRandom random = new SplittableRandom(2);
  private final int traces;
  private final long first;
  private final long last;

  private SendSegments(int traces, long first, long last) {
    this.traces = traces;
    this.first = first;
    this.last = last;
  }

  public static void main(String[] args) throws Exception {
    int logs = Integer.parseInt(args[4]);
    SendSegments sender =
        new SendSegments(
            Integer.parseInt(args[1]), Long.parseLong(args[2]), Long.parseLong(args[3]));
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(args[0]))
            .usePlaintext()
            .build();
    try {
      long segments = sender.segments(TraceSegmentReportServiceGrpc.newStub(channel));
      sender.logs(LogReportServiceGrpc.newStub(channel), logs);
      System.out.println("sent " + segments + " segments and " + logs + " logs");
    } finally {
      channel.shutdownNow();
      channel.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private long segments(TraceSegmentReportServiceGrpc.TraceSegmentReportServiceStub stub)
      throws Exception {
    List<SegmentObject> batch = new ArrayList<>();
    long sent = 0;
    for (int i = 0; i < traces; i++) {
      batch.addAll(trace(i));
      if (batch.size() >= STREAM || i == traces - 1) {
        stream(stub::collect, batch);
        sent += batch.size();
        batch.clear();
      }
    }
    return sent;
  }

  private void logs(LogReportServiceGrpc.LogReportServiceStub stub, int logs) throws Exception {
    List<LogData> batch = new ArrayList<>();
    for (int i = 0; i < logs; i++) {
      batch.add(log(i));
    }
    if (logs > 0) {
      stream(stub::collect, batch);
    }
  }

  private interface Call<T> {
    StreamObserver<T> open(StreamObserver<Commands> answer);
  }

  /** Sends one stream and waits until the OAP has taken all of it. */
  private static <T> void stream(Call<T> call, List<T> messages) throws Exception {
    CompletableFuture<Void> taken = new CompletableFuture<>();
    StreamObserver<T> out =
        call.open(
            new StreamObserver<Commands>() {
              @Override
              public void onNext(Commands commands) {}

              @Override
              public void onError(Throwable error) {
                taken.completeExceptionally(error);
              }

              @Override
              public void onCompleted() {
                taken.complete(null);
              }
            });
    messages.forEach(out::onNext);
    out.onCompleted();
    taken.get(2, TimeUnit.MINUTES);
  }

  private long time(int trace) {
    return first + (last - first) * trace / traces;
  }

  /** Another duration for each trace, so that their order by duration is one. */
  private int took(int trace) {
    return 40 + (int) (trace * 7919L % traces);
  }

  /** An id as the agent forms it: process, thread, time with a sequence. */
  private static String id(int process, int trace, int kind, long time) {
    SplittableRandom named = new SplittableRandom(process);
    return "%016x%016x.%d.%d"
        .formatted(named.nextLong(), named.nextLong(), 40 + trace % 160, time * 10000 + kind);
  }

  private static boolean fails(int trace) {
    return trace % 37 == 5;
  }

  private List<SegmentObject> trace(int i) {
    long time = time(i);
    int took = took(i);
    boolean error = fails(i);
    String trace = id(i % 3, i, 0, time);
    String resource = RESOURCES[i % RESOURCES.length];
    int key = random.nextInt(1_000_000);

    Segment gateway = new Segment(trace, id(i % 3, i, 1, time), "shop-gateway", i % 3);
    SpanObject.Builder front =
        gateway.entry("GET:/" + resource + "/{id}", TOMCAT, SpanLayer.Http, time, took);
    web(front, "http://shop.example/" + resource + "/" + key + "?from=app", error ? 500 : 200);
    front.setIsError(error);
    cache(gateway, 0, "session:" + key, time + 1);
    SpanObject.Builder call =
        gateway.child(0, SpanType.Exit, "/" + resource + "/{id}", time + 3, took - 6);
    call.setComponentId(HTTP_CLIENT).setSpanLayer(SpanLayer.Http).setPeer("orders.shop:8080");
    web(call, "http://orders.shop:8080/" + resource + "/" + key, error ? 500 : 200);
    call.setIsError(error);

    Segment orders = new Segment(trace, id(3 + i % 4, i, 2, time), "shop-orders", i % 4);
    SpanObject.Builder entry =
        orders.entry("GET:/" + resource + "/{id}", SPRING, SpanLayer.Http, time + 5, took - 10);
    web(entry, "http://orders.shop:8080/" + resource + "/" + key, error ? 500 : 200);
    entry.setIsError(error);
    entry.addRefs(gateway.ref(RefType.CrossProcess, call.getSpanId(), "orders.shop:8080"));
    SpanObject.Builder service =
        orders.child(
            0, SpanType.Local, "com.example.shop." + resource + ".Service.load(long)", time + 6, took - 12);
    tag(service, "user", "u" + random.nextInt(50_000));
    tag(service, "tenant", "tenant-" + i % 11);
    cache(orders, service.getSpanId(), resource + ":" + key, time + 7);
    for (int n = 0; n < 2; n++) {
      pool(orders, service.getSpanId(), time + 9 + 4 * n);
      SpanObject.Builder query = query(orders, service.getSpanId(), i + n, time + 10 + 4 * n, i);
      if (error && n == 1) {
        failed(query, time + 14);
      }
    }
    SpanObject.Builder message =
        orders.child(0, SpanType.Exit, "RocketMQ/shop-" + resource + "/Producer", time + 20, 2);
    message.setComponentId(ROCKET_PRODUCER).setSpanLayer(SpanLayer.MQ).setPeer("mq-0:9876;mq-1:9876");
    tag(message, "mq.broker", "mq-" + i % 2);
    tag(message, "mq.topic", "shop-" + resource);

    Segment billing = new Segment(trace, id(7 + i % 2, i, 3, time), "shop-billing", i % 2);
    SpanObject.Builder read =
        billing.entry(
            "RocketMQ/shop-" + resource + "/Consumer", ROCKET_CONSUMER, SpanLayer.MQ, time + 23, 9 + i % 20);
    tag(read, "mq.topic", "shop-" + resource);
    read.addRefs(orders.ref(RefType.CrossProcess, message.getSpanId(), "mq-0:9876;mq-1:9876"));
    pool(billing, 0, time + 24);
    query(billing, 0, i + 2, time + 25, -1);

    Segment thread = new Segment(trace, id(3 + i % 4, i, 4, time), "shop-orders", i % 4);
    SpanObject.Builder run =
        thread.child(-1, SpanType.Local, "Thread/com.example.shop.Recommend/run", time + 8, 6 + i % 9);
    run.setComponentId(THREADS);
    run.addRefs(orders.ref(RefType.CrossThread, service.getSpanId(), ""));
    cache(thread, 0, "similar:" + key, time + 9);

    return List.of(gateway.build(), orders.build(), billing.build(), thread.build());
  }

  private static void web(SpanObject.Builder span, String url, int status) {
    tag(span, "url", url);
    tag(span, "http.method", "GET");
    tag(span, "http.status_code", String.valueOf(status));
  }

  private static void pool(Segment segment, int parent, long time) {
    segment
        .child(parent, SpanType.Local, "Druid/Connection/getConnection", time, 1)
        .setComponentId(DRUID);
  }

  private static void cache(Segment segment, int parent, String key, long time) {
    SpanObject.Builder span = segment.child(parent, SpanType.Exit, "Redisson/GET", time, 1);
    span.setComponentId(REDISSON).setSpanLayer(SpanLayer.Cache).setPeer("redis-0.shop:6379");
    tag(span, "cache.type", "Redis");
    tag(span, "cache.cmd", "GET");
    tag(span, "cache.key", key);
    tag(span, "cache.op", "read");
  }

  /** A statement; of the traces given, each fiftieth has a slow one. */
  private static SpanObject.Builder query(
      Segment segment, int parent, int statement, long time, int trace) {
    int took = trace % 50 == 7 ? 150 : 2;
    SpanObject.Builder span =
        segment.child(parent, SpanType.Exit, "Mysql/JDBC/PreparedStatement/execute", time, took);
    span.setComponentId(MYSQL).setSpanLayer(SpanLayer.Database).setPeer("mysql-0.shop:3306");
    tag(span, "db.type", "Mysql");
    tag(span, "db.instance", "shop");
    tag(span, "db.statement", STATEMENTS[statement % STATEMENTS.length]);
    return span;
  }

  private static void failed(SpanObject.Builder span, long time) {
    Log.Builder log = Log.newBuilder().setTime(time);
    log.addData(pair("event", "error"));
    log.addData(pair("error.kind", "java.sql.SQLTransientConnectionException"));
    log.addData(pair("message", "Deadlock found when trying to get lock"));
    StringBuilder stack = new StringBuilder("java.sql.SQLTransientConnectionException: Deadlock");
    for (int line = 0; line < 24; line++) {
      stack.append("\n\tat com.example.shop.store.Layer").append(line).append(".call(Layer.java:");
      stack.append(31 + line * 17).append(")");
    }
    log.addData(pair("stack", stack.toString()));
    span.setIsError(true).addLogs(log);
  }

  private LogData log(int i) {
    long time = time(i % traces) + 4;
    String trace = id(i % 3, i, 0, time(i % traces));
    return LogData.newBuilder()
        .setTimestamp(time)
        .setService("shop-gateway")
        .setServiceInstance("shop-gateway-" + i % 3)
        .setTraceContext(TraceContext.newBuilder().setTraceId(trace).setTraceSegmentId(trace))
        .setTags(LogTags.newBuilder().addData(pair("level", i % 10 == 3 ? "ERROR" : "INFO")))
        .setBody(
            LogDataBody.newBuilder()
                .setType("TEXT")
                .setText(TextLog.newBuilder().setText("request " + i + " served")))
        .build();
  }

  private static void tag(SpanObject.Builder span, String key, String value) {
    span.addTags(pair(key, value));
  }

  private static KeyStringValuePair pair(String key, String value) {
    return KeyStringValuePair.newBuilder().setKey(key).setValue(value).build();
  }

  /** One segment while its spans are made; ids of spans count from 0. */
  private static final class Segment {
    private final String trace;
    private final String id;
    private final String service;
    private final String instance;
    private final List<SpanObject.Builder> spans = new ArrayList<>();

    Segment(String trace, String id, String service, int instance) {
      this.trace = trace;
      this.id = id;
      this.service = service;
      this.instance = service + "-" + instance;
    }

    SpanObject.Builder entry(String name, int component, SpanLayer layer, long time, int took) {
      return child(-1, SpanType.Entry, name, time, took)
          .setComponentId(component)
          .setSpanLayer(layer);
    }

    SpanObject.Builder child(int parent, SpanType type, String name, long time, int took) {
      SpanObject.Builder span =
          SpanObject.newBuilder()
              .setSpanId(spans.size())
              .setParentSpanId(parent)
              .setSpanType(type)
              .setOperationName(name)
              .setStartTime(time)
              .setEndTime(time + took);
      spans.add(span);
      return span;
    }

    SegmentReference ref(RefType type, int span, String peer) {
      return SegmentReference.newBuilder()
          .setRefType(type)
          .setTraceId(trace)
          .setParentTraceSegmentId(id)
          .setParentSpanId(span)
          .setParentService(service)
          .setParentServiceInstance(instance)
          .setParentEndpoint(spans.get(0).getOperationName())
          .setNetworkAddressUsedAtPeer(peer)
          .build();
    }

    SegmentObject build() {
      SegmentObject.Builder segment =
          SegmentObject.newBuilder()
              .setTraceId(trace)
              .setTraceSegmentId(id)
              .setService(service)
              .setServiceInstance(instance);
      spans.forEach(segment::addSpans);
      return segment.build();
    }
  }
}
