package io.millrace.admin.resource;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/// Absolute URLs of resources and their names, on the thread of a request.
public final class Links {
    private final @Nullable String advertisedUrl;

    /// @param advertisedUrl the address under which people reach this service; null: taken from the request, a proxy's
    ///     `X-Forwarded-*` included
    public Links(@Nullable String advertisedUrl) {
        this.advertisedUrl = advertisedUrl == null ? null : advertisedUrl.replaceAll("/+$", "");
    }

    /// The URL of a resource of a cluster; each segment is encoded, so that a slash in a name stays inside of it.
    public String cluster(String clusterId, Object... segments) {
        return base() + "/v3/clusters/" + encode(clusterId) + path(segments);
    }

    /// The URL of the list of clusters.
    public String clusters() {
        return base() + "/v3/clusters";
    }

    /// A link to [#cluster].
    public Related related(String clusterId, Object... segments) {
        return new Related(cluster(clusterId, segments));
    }

    /// Metadata of a resource.
    ///
    /// @param names what follows the cluster in its resource name, in pairs: `"topic", "orders"`; a last one may be alone
    /// @param segments what follows the cluster in its URL
    public ResourceMetadata metadata(String clusterId, Object[] names, Object... segments) {
        var crn = new StringBuilder("crn:///kafka=").append(clusterId);
        for (int i = 0; i < names.length; i += 2) {
            crn.append('/').append(names[i]);
            if (i + 1 < names.length) {
                crn.append('=').append(names[i + 1]);
            }
        }
        return new ResourceMetadata(cluster(clusterId, segments), crn.toString());
    }

    private String base() {
        return advertisedUrl != null
                ? advertisedUrl
                : ServletUriComponentsBuilder.fromCurrentContextPath().build().toUriString();
    }

    private static String path(Object... segments) {
        return Arrays.stream(segments).map(segment -> "/" + encode(segment.toString())).collect(Collectors.joining());
    }

    /// Dots alone would be another path to whoever follows the link.
    private static String encode(String segment) {
        return segment.equals(".") || segment.equals("..")
                ? segment.replace(".", "%2E")
                : UriUtils.encode(segment, java.nio.charset.StandardCharsets.UTF_8);
    }
}
