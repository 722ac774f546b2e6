package io.millrace.admin.exchange;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.ResourceList;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Pages of any list, where `page_size` or `page_token` asks for them, and some `fields` of its items. A token names the last
/// item of its page, so that what comes or goes before it neither repeats nor skips others.
@RestControllerAdvice
@RequiredArgsConstructor
class Pages implements ResponseBodyAdvice<Object> {
    private static final String SIZE = "page_size";
    private static final String TOKEN = "page_token";
    private static final String FIELDS = "fields";
    private static final int LARGEST = 1_000;
    private static final Set<String> ALWAYS = Set.of("kind", "metadata");

    private final JsonMapper json;

    /// Where a page begins.
    ///
    /// @param index of its first item when the token was made
    /// @param after URL of the item before it
    private record Place(int index, String after) {
        static Place parse(String token) {
            try {
                var text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
                int space = text.indexOf(' ');
                return new Place(Integer.parseUnsignedInt(text.substring(0, Math.max(0, space))), text.substring(space
                        + 1));
            } catch (IllegalArgumentException _) {
                throw Problem.badRequest("'" + Problem.shown(token) + "' is not a value of " + TOKEN);
            }
        }

        String token() {
            return Base64.getUrlEncoder().withoutPadding().encodeToString((index + " " + after).getBytes(
                    StandardCharsets.UTF_8));
        }
    }

    @Override
    public boolean supports(MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public @Nullable Object beforeBodyWrite(@Nullable Object body, MethodParameter returned, MediaType type,
            Class<? extends HttpMessageConverter<?>> converter, ServerHttpRequest request,
            ServerHttpResponse response) {
        if (!(body instanceof ResourceList<?> list)) {
            return body;
        }
        var asked = UriComponentsBuilder.fromUri(request.getURI()).build().getQueryParams();
        var size = asked.getFirst(SIZE);
        var token = asked.getFirst(TOKEN);
        var page = size == null && token == null ? list : page(list, size, token);
        var fields = asked.getFirst(FIELDS);
        return fields == null ? page : only(page, fields);
    }

    private ResourceList<?> page(ResourceList<?> list, @Nullable String sizeText, @Nullable String token) {
        int size = sizeText == null ? LARGEST : size(sizeText);
        int begin = token == null ? 0 : begin(list, Place.parse(token));
        int end = Math.min(list.data().size(), begin + size);
        var items = list.data().subList(begin, end);
        var self = list.metadata().self();
        var next = end == list.data().size()
                ? null
                : self + "?" + SIZE + "=" + size + "&" + TOKEN + "=" + new Place(end, self(items.getLast())).token();
        return new ResourceList<>(list.kind(), new ResourceList.ListMetadata(self, next), items);
    }

    private int begin(ResourceList<?> list, Place place) {
        // Most often nothing came or went, and it is where it was.
        int there = Math.min(place.index, list.data().size());
        if (there > 0 && self(list.data().get(there - 1)).equals(place.after)) {
            return there;
        }
        for (int i = 0; i < list.data().size(); i++) {
            if (self(list.data().get(i)).equals(place.after)) {
                return i + 1;
            }
        }
        return there;
    }

    private String self(Object item) {
        return json.valueToTree(item).path("metadata").path("self").asString("");
    }

    private static int size(String text) {
        return Optional.of(text)
                .filter(digits -> digits.matches("\\d{1,4}"))
                .map(Integer::parseInt)
                .filter(size -> size >= 1 && size <= LARGEST)
                .orElseThrow(() -> Problem.badRequest(SIZE + " is a number from 1 to " + LARGEST));
    }

    private ResourceList<?> only(ResourceList<?> list, String fields) {
        Set<String> names = Arrays.stream(fields.split(",")).map(String::strip).collect(Collectors.toSet());
        List<JsonNode> items = list.data().stream().map(item -> {
            JsonNode tree = json.valueToTree(item);
            if (tree instanceof ObjectNode object) {
                object.propertyNames().stream().filter(name -> !ALWAYS.contains(name) && !names.contains(name)).toList()
                        .forEach(object::remove);
            }
            return tree;
        }).toList();
        return new ResourceList<>(list.kind(), list.metadata(), items);
    }
}
