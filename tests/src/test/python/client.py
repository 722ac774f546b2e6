"""A client program on kafka-python; its commands and lines are those of JavaClient.java.

  create BOOTSTRAP TOPIC PARTITIONS
  produce BOOTSTRAP TOPIC CODEC
  consume BOOTSTRAP TOPIC GROUP COUNT
"""
import base64
import sys
import time

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.admin import NewTopic

LIMIT_SECONDS = 60


def to_bytes(text):
    return None if text == "-" else base64.b64decode(text)


def to_text(value):
    return "-" if value is None else base64.b64encode(value).decode()


def parse_headers(field):
    pairs = [header.split("=", 1) for header in field.split(",")] if field else []
    return [(name, to_bytes(value)) for name, value in pairs]


def create(bootstrap, topic, partitions):
    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    admin.create_topics([NewTopic(topic, int(partitions), 1)])
    admin.close()


def produce(bootstrap, topic, codec):
    producer = KafkaProducer(bootstrap_servers=bootstrap, acks="all", linger_ms=20,
                             compression_type=None if codec == "none" else codec)
    sent = []
    for line in sys.stdin:
        key, value, headers = line.rstrip("\n").split("\t")
        sent.append(producer.send(topic, to_bytes(value), to_bytes(key), parse_headers(headers)))
    for each in sent:
        each.get(timeout=LIMIT_SECONDS)
    producer.close()


def consume(bootstrap, topic, group, count):
    consumer = KafkaConsumer(topic, bootstrap_servers=bootstrap, group_id=group, auto_offset_reset="earliest",
                             enable_auto_commit=False, max_poll_records=1)
    end = time.monotonic() + LIMIT_SECONDS
    seen = 0
    while seen < int(count):
        if time.monotonic() > end:
            sys.exit(f"read {seen} of {count}")
        for records in consumer.poll(timeout_ms=200).values():
            for record in records:
                headers = ",".join(f"{name}={to_text(value)}" for name, value in record.headers)
                print(to_text(record.key), to_text(record.value), headers, sep="\t")
                seen += 1
    consumer.commit()
    consumer.close()


if __name__ == "__main__":
    {"create": create, "produce": produce, "consume": consume}[sys.argv[1]](*sys.argv[2:])
