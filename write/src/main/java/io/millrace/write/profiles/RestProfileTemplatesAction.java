package io.millrace.write.profiles;

import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.profile.Profiles;
import io.millrace.kernel.report.RestReportAction;
import io.millrace.write.templates.ShippedTemplate;
import java.io.IOException;
import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_millrace/profiles}: every profile with what it sets and what it leaves out, each
 * with its reason; {@code GET /_millrace/profiles/{profile}}: an index template ready to be put to
 * {@code _index_template}, with the mapping that the installed templates have and the same reasons
 * in {@code _meta}. Changes nothing.
 */
final class RestProfileTemplatesAction extends RestReportAction {
  private final Profiles profiles;

  RestProfileTemplatesAction(Profiles profiles) {
    this.profiles = profiles;
  }

  @Override
  public String getName() {
    return "millrace_profiles_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, "/_millrace/profiles"),
        new Route(RestRequest.Method.GET, "/_millrace/profiles/{profile}"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    String name = request.param("profile");
    Profile one = name == null ? null : Profile.parse(name);
    return channel -> {
      XContentBuilder builder = channel.newBuilder();
      if (one == null) {
        listAll(builder);
      } else {
        template(builder, one, profiles);
      }
      channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
    };
  }

  private void listAll(XContentBuilder builder) throws IOException {
    builder.startObject();
    for (Profile profile : Profile.values()) {
      builder.startObject(profile.key());
      builder.field("freshness", profile.freshness().getStringRep());
      reasons(builder, profile, profiles);
      builder.endObject();
    }
    builder.endObject();
  }

  private static void reasons(XContentBuilder builder, Profile profile, Profiles profiles)
      throws IOException {
    builder.startObject("settings");
    for (ProfileEntry entry : profiles.of(profile)) {
      builder.startObject(entry.key());
      builder.field("value", entry.value());
      builder.field("reason", entry.reason());
      builder.endObject();
    }
    builder.endObject();
    builder.startObject("left_out");
    for (LeftOut entry : profiles.leftOut(profile)) {
      builder.field(entry.key(), entry.reason());
    }
    builder.endObject();
  }

  /** The reasons stand where a template keeps what is for people only. */
  static void template(XContentBuilder builder, Profile profile, Profiles profiles)
      throws IOException {
    builder.startObject();
    builder.array("index_patterns", profile.key() + "-*");
    builder.field("priority", 100);
    builder.startObject("_meta");
    reasons(builder, profile, profiles);
    builder.endObject();
    builder.startObject("template");
    builder.startObject("settings").field("index.millrace.profile", profile.key()).endObject();
    builder.field("mappings", ShippedTemplate.mapping(profile));
    builder.endObject().endObject();
  }
}
