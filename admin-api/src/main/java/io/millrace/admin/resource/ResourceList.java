package io.millrace.admin.resource;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// A list of resources of one kind.
///
/// @param kind the kind of the list, such as `KafkaTopicList`
public record ResourceList<T>(String kind, ListMetadata metadata, List<T> data) {

    public ResourceList {
        data = List.copyOf(data);
    }

    /// The whole list in one page.
    public static <T> ResourceList<T> whole(String kind, String self, List<T> data) {
        return new ResourceList<>(kind, new ListMetadata(self, null), data);
    }

    /// @param self the absolute URL of this page
    /// @param next that of the next page; null on the last one
    public record ListMetadata(String self, @Nullable String next) {}
}
