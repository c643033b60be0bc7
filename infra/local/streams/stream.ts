import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';

/** Sequence number of the last record that was handled, by the label of the stream and its shard. */
export type Checkpoint = Record<string, string>;

/** Records of one shard, in order. */
export interface ShardRecords {
  /** Key of the shard in the checkpoint. */
  shard: string;
  records: StreamRecord[];
  /** Sequence number of the record before them, if one was read or handled. */
  previous: string | undefined;
}

/** Reads the stream of a table after a checkpoint, from its oldest record if there is none. */
export class TableStream {
  /** Last record that was read or handled, by shard. */
  readonly lastRead: Checkpoint;
  readonly #client: DynamoDBStreamsClient;
  readonly #tableName: string;
  /** Iterator of each shard. Undefined for a closed shard that was read to its end. */
  readonly #iterators = new Map<string, string | undefined>();

  constructor(client: DynamoDBStreamsClient, tableName: string, checkpoint: Checkpoint) {
    this.#client = client;
    this.#tableName = tableName;
    this.lastRead = { ...checkpoint };
  }

  /** Yields the next records of each shard. */
  async *read(abortSignal: AbortSignal): AsyncGenerator<ShardRecords> {
    const isOpen = [...this.#iterators.values()].some((iterator) => iterator !== undefined);
    if (!isOpen) await this.#findShards(abortSignal);
    for (const [shard, iterator] of this.#iterators) {
      if (iterator === undefined) continue;
      const { Records: records = [], NextShardIterator } = await this.#client.send(
        new GetRecordsCommand({ ShardIterator: iterator }),
        { abortSignal },
      );
      this.#iterators.set(shard, NextShardIterator);
      const last = records.at(-1)?.dynamodb?.SequenceNumber;
      if (last === undefined) continue;
      const previous = this.lastRead[shard];
      this.lastRead[shard] = last;
      yield { shard, records, previous };
    }
  }

  /** Forgets its iterators, which can expire. The next reading goes on from the last record that was read. */
  renew(): void {
    this.#iterators.clear();
  }

  async #findShards(abortSignal: AbortSignal): Promise<void> {
    const list = new ListStreamsCommand({ TableName: this.#tableName });
    const { Streams = [] } = await this.#client.send(list, { abortSignal });
    const { StreamArn, StreamLabel } = Streams.at(-1) ?? {};
    if (!StreamArn) throw new Error(`The table ${this.#tableName} has no stream`);
    const { StreamDescription } = await this.#client.send(new DescribeStreamCommand({ StreamArn }), { abortSignal });
    for (const { ShardId = '' } of StreamDescription?.Shards ?? []) {
      const shard = `${StreamLabel} ${ShardId}`;
      if (this.#iterators.has(shard)) continue;
      const last = this.lastRead[shard];
      const { ShardIterator } = await this.#client.send(
        new GetShardIteratorCommand({
          StreamArn,
          ShardId,
          ...(last === undefined
            ? { ShardIteratorType: 'TRIM_HORIZON' }
            : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last }),
        }),
        { abortSignal },
      );
      this.#iterators.set(shard, ShardIterator);
    }
  }
}
