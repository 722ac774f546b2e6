package io.millrace.admin.operation;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import io.millrace.admin.document.Documents;
import io.millrace.admin.document.Documents.Document;
import lombok.extern.slf4j.Slf4j;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Operations as documents: `/services/operations/<id>`.
@Slf4j
public final class ZnodeOperationStore implements OperationStore {
    private static final String FOLDER = "operations";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Comparator<Stored> BY_AGE = Comparator.comparingLong((Stored stored) -> stored.operation()
            .createdAt()).thenComparing(stored -> stored.operation().id());

    private final Documents documents;

    public ZnodeOperationStore(Documents documents) {
        this.documents = documents;
    }

    @Override
    public List<Stored> all() {
        return documents.all(FOLDER).stream().flatMap(document -> stored(document).stream()).sorted(BY_AGE).toList();
    }

    @Override
    public Optional<Stored> find(String id) {
        return documents.find(FOLDER, id).flatMap(this::stored);
    }

    @Override
    public Stored create(Operation operation) {
        documents.create(FOLDER, operation.id(), JSON.writeValueAsString(operation));
        return new Stored(operation, 0);
    }

    @Override
    public boolean replace(Stored known, Operation next) {
        return documents.replace(document(known), JSON.writeValueAsString(next));
    }

    @Override
    public void delete(Stored known) {
        documents.delete(document(known));
    }

    private static Document document(Stored known) {
        return new Document(FOLDER, known.operation().id(), "", known.version());
    }

    private Optional<Stored> stored(Document document) {
        try {
            return Optional.of(new Stored(JSON.readValue(document.text(), Operation.class), document.version()));
        } catch (JacksonException unreadable) {
            log.warn("event=operation-unreadable id={} cause=\"{}\"", document.name(), unreadable
                    .getOriginalMessage());
            return Optional.empty();
        }
    }
}
