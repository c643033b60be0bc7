import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Queue } from '../queue.ts';
import { arnOf } from '../template.ts';
import { type Emulator, serve } from './emulator.ts';

interface SendMessage {
  QueueUrl: string;
  MessageBody: string;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

/** SQS, as far as functions ask it for anything: it takes messages. The host delivers them (queues.ts). */
export async function startSqs(queues: Map<string, Queue>): Promise<Emulator> {
  return serve(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    const fail = (type: string) => answer(400, { __type: `com.amazonaws.sqs#${type}` });
    if (request.headers['x-amz-target'] !== 'AmazonSQS.SendMessage') return fail('UnsupportedOperation');
    const sent: SendMessage = JSON.parse((await buffer(request)).toString());
    const { QueueUrl, MessageBody, MessageGroupId, MessageDeduplicationId } = sent;
    const queue = queues.get(arnOf('sqs', QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)));
    if (!queue) return fail('QueueDoesNotExist');
    const MessageId = queue.send(MessageBody, MessageGroupId, MessageDeduplicationId);
    return answer(200, { MessageId, MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') });
  });
}
