// A client program on KafkaJS; its commands and lines are those of JavaClient.java.
//   create BOOTSTRAP TOPIC PARTITIONS
//   produce BOOTSTRAP TOPIC CODEC
//   consume BOOTSTRAP TOPIC GROUP COUNT
//   chain BOOTSTRAP SOURCE TARGET COUNT
'use strict';

const readline = require('node:readline');
const { Kafka, CompressionTypes, logLevel } = require('kafkajs');

const LIMIT_MILLIS = 60000;

const bytes = (text) => (text === '-' ? null : Buffer.from(text, 'base64'));
const text = (value) => (value === null || value === undefined ? '-' : Buffer.from(value).toString('base64'));

function parseHeaders(field) {
  const headers = {};
  for (const header of field === '' ? [] : field.split(',')) {
    const equals = header.indexOf('=');
    const name = header.slice(0, equals);
    const value = bytes(header.slice(equals + 1));
    headers[name] = name in headers ? [].concat(headers[name], value) : value;
  }
  return headers;
}

function formatHeaders(headers) {
  return Object.entries(headers)
    .flatMap(([name, values]) => [].concat(values).map((value) => `${name}=${text(value)}`))
    .join(',');
}

async function create(kafka, topic, partitions) {
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: Number(partitions), replicationFactor: 1 }], waitForLeaders: true });
  await admin.disconnect();
}

async function produce(kafka, topic, codec) {
  const messages = [];
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [key, value, headers] = line.split('\t');
    messages.push({ key: bytes(key), value: bytes(value), headers: parseHeaders(headers) });
  }
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, messages, acks: -1, compression: codec === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None });
  await producer.disconnect();
}

async function consume(kafka, topic, groupId, count) {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let seen = 0;
  await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`read ${seen} of ${count}`)), LIMIT_MILLIS).unref();
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer.run({
      autoCommit: false,
      eachMessage: async ({ partition, message }) => {
        if (seen >= count) {
          return;
        }
        seen += 1;
        console.log(`${text(message.key)}\t${text(message.value)}\t${formatHeaders(message.headers)}`);
        await consumer.commitOffsets([{ topic, partition, offset: String(Number(message.offset) + 1) }]);
        if (seen >= count) {
          resolve();
        }
      },
    }).catch(reject);
  });
  await consumer.disconnect();
}

async function chain(kafka, source, target, count) {
  const consumer = kafka.consumer({ groupId: target, maxWaitTimeInMs: 200 });
  const producer = kafka.producer({ transactionalId: target, idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topic: source, fromBeginning: true });
  let copied = 0;
  let batches = 0;
  let turn = Promise.resolve();
  const copy = async (batch, commit) => {
    const transaction = await producer.transaction();
    await transaction.send({
      topic: target,
      messages: batch.messages.map(({ key, value }) => ({ key, value, partition: batch.partition })),
    });
    const offset = String(Number(batch.lastOffset()) + 1);
    await transaction.sendOffsets({
      consumerGroupId: target,
      topics: [{ topic: source, partitions: [{ partition: batch.partition, offset }] }],
    });
    await (commit ? transaction.commit() : transaction.abort());
  };
  await new Promise((resolve, reject) => {
    const quiet = setTimeout(() => reject(new Error(`copied ${copied} of ${count}`)), LIMIT_MILLIS).unref();
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: true,
      // Batches of several partitions come at once, and a producer has one transaction at a time.
      eachBatch: ({ batch }) => {
        turn = turn.then(async () => {
          batches += 1;
          if (batches % 4 === 0) {
            await copy(batch, false);
          }
          await copy(batch, true);
          copied += batch.messages.length;
          quiet.refresh();
          if (copied >= count) {
            resolve();
          }
        });
        return turn;
      },
    }).catch(reject);
  });
  await consumer.disconnect();
  await producer.disconnect();
}

async function main([command, bootstrap, topic, ...rest]) {
  const kafka = new Kafka({ clientId: 'millrace-tests', brokers: bootstrap.split(','), logLevel: logLevel.ERROR });
  switch (command) {
    case 'create':
      return create(kafka, topic, rest[0]);
    case 'produce':
      return produce(kafka, topic, rest[0]);
    case 'consume':
      return consume(kafka, topic, rest[0], Number(rest[1]));
    case 'chain':
      return chain(kafka, topic, rest[0], Number(rest[1]));
    default:
      throw new Error(`unknown command ${command}`);
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
