"""A consume-transform-produce chain on librdkafka (confluent-kafka); its command is that of JavaClient.java.

  chain BOOTSTRAP SOURCE TARGET COUNT
"""
import sys
import time

from confluent_kafka import Consumer, Producer, TopicPartition

LIMIT_SECONDS = 60
BATCH = 500


def chain(bootstrap, source, target, count):
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": target, "auto.offset.reset": "earliest",
                         "enable.auto.commit": False, "isolation.level": "read_committed"})
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": target})
    producer.init_transactions(LIMIT_SECONDS)
    consumer.subscribe([source])
    copied = batches = 0
    end = time.monotonic() + LIMIT_SECONDS
    while copied < int(count):
        if time.monotonic() > end:
            sys.exit(f"copied {copied} of {count}")
        messages = consumer.consume(BATCH, 0.2)
        for message in messages:
            if message.error():
                sys.exit(str(message.error()))
        if messages:
            batches += 1
            copy(consumer, producer, target, messages)
            if batches % 4 == 0:
                producer.abort_transaction(LIMIT_SECONDS)
                copy(consumer, producer, target, messages)
            producer.commit_transaction(LIMIT_SECONDS)
            copied += len(messages)
            end = time.monotonic() + LIMIT_SECONDS
    consumer.close()


def copy(consumer, producer, target, messages):
    producer.begin_transaction()
    next_offsets = {}
    for message in messages:
        producer.produce(target, message.value(), message.key(), message.partition())
        next_offsets[message.topic(), message.partition()] = message.offset() + 1
    offsets = [TopicPartition(topic, partition, offset) for (topic, partition), offset in next_offsets.items()]
    producer.send_offsets_to_transaction(offsets, consumer.consumer_group_metadata(), LIMIT_SECONDS)


if __name__ == "__main__":
    chain(*sys.argv[2:])
