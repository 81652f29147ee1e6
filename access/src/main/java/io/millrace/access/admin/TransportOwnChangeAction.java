package io.millrace.access.admin;

import io.millrace.access.identity.Identity;
import io.millrace.access.store.ApiKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Somebody's own password and keys. */
public final class TransportOwnChangeAction extends TransportChangeAction {
  /** Built by injection. */
  @Inject
  public TransportOwnChangeAction(
      TransportService transport,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      Changes changes) {
    super(
        OwnChangeAction.INSTANCE.name(),
        transport,
        clusterService,
        threadPool,
        filters,
        resolver,
        changes);
  }

  @Override
  void check(@Nullable Identity who, Change change) {
    if (who == null) {
      return;
    }
    Map<String, Object> body = change.body();
    boolean may =
        switch (change.kind()) {
          case USER ->
              who.kind() == Identity.Kind.USER
                  && who.name().equals(change.name())
                  && body != null
                  && body.keySet().equals(Set.of("hash"));
          case KEY -> body == null ? own(who, change.name()) : may(who, change.name(), body);
          case ROLE -> false;
        };
    if (!may) {
      throw new OpenSearchSecurityException(
          "["
              + who.name()
              + "] may not change "
              + change.text()
              + "; users change their own password, and make keys with roles that they have",
          RestStatus.FORBIDDEN);
    }
  }

  private boolean own(Identity who, String id) {
    ApiKey key = changes().store().metadata().keys().get(id);
    return key != null && key.owner().equals(who.text());
  }

  /** A new key: of this user, who is no key, with no role that this user has not. */
  private boolean may(Identity who, String id, Map<String, Object> body) {
    List<String> own = changes().store().roles(who);
    return who.kind() != Identity.Kind.KEY
        && !changes().store().metadata().keys().containsKey(id)
        && who.text().equals(body.get("owner"))
        && own != null
        && body.get("roles") instanceof List<?> roles
        && own.containsAll(roles);
  }
}
