package io.millrace.admin.logdir;

import java.util.List;
import java.util.Set;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.LogDirs;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.protocol.Errors;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Brokers")
class LogDirController {
    private final Cluster cluster;
    private final LogDirs directories;
    private final Links links;

    @GetMapping("/log-dirs")
    @Operation(summary = "List the log directories of all brokers", description = "Of those that answer.")
    ResourceList<KafkaLogDir> all(@PathVariable String clusterId, @RequestParam(defaultValue = "") String topic) {
        var rows = directories.of(cluster.image(clusterId).liveBrokers()).entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(told -> KafkaLogDir.of(clusterId, entry.getKey().id(),
                        told, topic, links)))
                .toList();
        return ResourceList.whole("KafkaLogDirList", links.cluster(clusterId, "log-dirs"), rows);
    }

    @GetMapping("/brokers/{brokerId}/log-dirs")
    @Operation(summary = "List the log directories of a broker, and what lies in them")
    ResourceList<KafkaLogDir> ofBroker(@PathVariable String clusterId, @PathVariable int brokerId,
            @RequestParam(defaultValue = "") String topic) {
        var broker = cluster.broker(clusterId, brokerId);
        var told = directories.of(Set.of(broker)).get(broker);
        if (told == null) {
            throw KafkaProblems.problem(Errors.BROKER_NOT_AVAILABLE, "Broker " + brokerId + " does not answer.");
        }
        List<KafkaLogDir> rows = told.stream().map(one -> KafkaLogDir.of(clusterId, brokerId, one, topic, links))
                .toList();
        return ResourceList.whole("KafkaLogDirList", links.cluster(clusterId, "brokers", brokerId, "log-dirs"), rows);
    }
}
