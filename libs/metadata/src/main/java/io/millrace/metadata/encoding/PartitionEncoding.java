package io.millrace.metadata.encoding;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;

/// A partition as a message.
final class PartitionEncoding {
    private PartitionEncoding() {}

    static Consumer<Writer> partition(PartitionPut put) {
        var partition = put.partition();
        return out -> {
            out.id(1, put.topicId())
                    .number(2, partition.partition())
                    .packed(3, partition.replicas())
                    .packed(4, partition.isr())
                    .packed(5, partition.adding())
                    .packed(6, partition.removing())
                    .signed(7, partition.leader())
                    .number(8, partition.leaderEpoch())
                    .number(9, partition.partitionEpoch());
            partition.elr().forEach(replica -> out.nested(10, eligible -> eligible.signed(1, replica.broker()).text(2,
                    replica.life())));
        };
    }

    static PartitionPut partition(Reader in) {
        UUID topic = null;
        int number = 0;
        List<Integer> replicas = List.of();
        List<Integer> isr = List.of();
        List<Integer> adding = List.of();
        List<Integer> removing = List.of();
        int leader = 0;
        int leaderEpoch = 0;
        int partitionEpoch = 0;
        var elr = new ArrayList<EligibleReplica>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> topic = in.id();
                case 2 -> number = in.number();
                case 3 -> replicas = in.packed();
                case 4 -> isr = in.packed();
                case 5 -> adding = in.packed();
                case 6 -> removing = in.packed();
                case 7 -> leader = in.signed();
                case 8 -> leaderEpoch = in.number();
                case 9 -> partitionEpoch = in.number();
                case 10 -> elr.add(in.nested(PartitionEncoding::eligible));
                default -> in.skip();
            }
        }
        return new PartitionPut(RecordEncoding.required(topic, "topic id"), new PartitionImage(number, replicas, isr,
                adding, removing,
                leader, leaderEpoch, partitionEpoch, elr));
    }

    private static EligibleReplica eligible(Reader in) {
        int broker = 0;
        var life = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> broker = in.signed();
                case 2 -> life = in.text();
                default -> in.skip();
            }
        }
        return new EligibleReplica(broker, life);
    }
}
