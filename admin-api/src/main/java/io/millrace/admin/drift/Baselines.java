package io.millrace.admin.drift;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.millrace.admin.document.Documents;
import io.millrace.admin.problem.Problem;
import tools.jackson.databind.json.JsonMapper;

/// The one baseline of the cluster, where every instance sees it.
public final class Baselines {
    private static final String FOLDER = "config-baseline";
    private static final String NAME = "baseline";
    private static final int ATTEMPTS = 5;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Documents documents;

    public Baselines(Documents documents) {
        this.documents = documents;
    }

    Optional<Baseline> find() {
        return documents.find(FOLDER, NAME).map(document -> JSON.readValue(document.text(), Baseline.class));
    }

    /// @throws Problem where it is too large
    void put(Baseline baseline) {
        var text = JSON.writeValueAsString(baseline);
        if (text.getBytes(StandardCharsets.UTF_8).length > Documents.LARGEST) {
            throw Problem.tooLarge("a baseline has at most " + Documents.LARGEST + " bytes");
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (documents.create(FOLDER, NAME, text) || documents.find(FOLDER, NAME).filter(known -> documents.replace(
                    known, text)).isPresent()) {
                return;
            }
        }
        throw Problem.conflict("The baseline is changing too fast.");
    }

    void delete() {
        documents.find(FOLDER, NAME).ifPresent(documents::delete);
    }
}
