package io.millrace.controller.partition;

import java.util.ArrayList;
import java.util.List;

import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.PartitionImage;

/// Who is out of the ISR and could lead without a loss (KIP-966). As long as fewer replicas are in sync than
/// `min.insync.replicas`, leaders commit nothing, so whoever leaves the ISR by then, or leaves so few behind, has all that is
/// committed, and will have it until enough are in sync again. Kafka goes by marks of a clean stop; here the life of a broker
/// says that it never stopped.
public final class Eligible {
    private Eligible() {}

    /// Those that are eligible once the ISR of `now` is `isr`. Where nobody led, who is in the ISR may be there in another
    /// life than that in which it was in sync.
    public static List<EligibleReplica> after(PartitionImage now, List<Integer> isr, Brokers brokers) {
        if (isr.size() >= Math.min(brokers.minInSync(), now.replicas().size())) {
            return List.of();
        }
        var elr = new ArrayList<EligibleReplica>();
        now.elr().stream().filter(replica -> !isr.contains(replica.broker()) && !isAnotherLife(replica, brokers))
                .forEach(
                        elr::add);
        if (now.hasLeader()) {
            now.isr().stream().filter(id -> !isr.contains(id) && !brokers.life().apply(id).isEmpty()).forEach(
                    id -> elr.add(new EligibleReplica(id, brokers.life().apply(id))));
        }
        return elr;
    }

    /// Whether that replica is registered with the life in which it had everything.
    static boolean isThere(EligibleReplica replica, Brokers brokers) {
        return brokers.life().apply(replica.broker()).equals(replica.life());
    }

    private static boolean isAnotherLife(EligibleReplica replica, Brokers brokers) {
        var life = brokers.life().apply(replica.broker());
        return !life.isEmpty() && !life.equals(replica.life());
    }
}
