package io.millrace.wire.api;

import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// ApiVersions, from the table and the features alone.
final class ApiVersionsHandler implements ApiHandler<ApiVersionsRequestData, ApiVersionsResponseData> {
    /// As Kafka: what does not match would end up as a metric tag.
    private static final Pattern SOFTWARE = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9\\-.]*[a-zA-Z0-9])?");
    private static final short FIRST_WITH_SOFTWARE = 3;

    private final VersionTable table;

    ApiVersionsHandler(VersionTable table) {
        this.table = table;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.API_VERSIONS;
    }

    @Override
    public CompletableFuture<ApiVersionsResponseData> handle(ApiVersionsRequestData request, RequestContext context) {
        if (context.version() >= FIRST_WITH_SOFTWARE && !valid(request)) {
            return CompletableFuture.failedFuture(new Refused(Errors.INVALID_REQUEST, "client software"));
        }
        return CompletableFuture.completedFuture(
                Features.tell(new ApiVersionsResponseData().setApiKeys(table.listed())));
    }

    /// To an ApiVersions of a version that this node does not know, the range it does know, so that the client can ask
    /// again in one round trip (KIP-511).
    @Override
    public ApiVersionsResponseData refuse(ApiVersionsRequestData request, Errors error, @Nullable String message,
            short version) {
        var refusal = new ApiVersionsResponseData().setErrorCode(error.code());
        return error == Errors.UNSUPPORTED_VERSION ? refusal.setApiKeys(table.listed(ApiKeys.API_VERSIONS)) : refusal;
    }

    private static boolean valid(ApiVersionsRequestData request) {
        return SOFTWARE.matcher(request.clientSoftwareName()).matches()
                && SOFTWARE.matcher(request.clientSoftwareVersion()).matches();
    }
}
