import awsLambdaFastify from '@fastify/aws-lambda';
import fastify from 'fastify';
import { insert, type NewAssistant, read, verifyToken } from './assistants.ts';

// https://fastify.dev/docs/latest/Guides/Serverless/, https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/

const text = (max: number, min = 0) => ({ type: 'string', minLength: min, maxLength: max });
const name = (fallback: string) => ({ ...text(128, 1), default: fallback });
const settings = (properties: object) => ({ type: 'object', properties, default: {} });

const body = {
  type: 'object',
  required: ['name', 'system_instruction'],
  properties: {
    name: text(200, 1),
    system_instruction: text(100_000, 1),
    description: { ...text(2_000), nullable: true, default: null },
    first_message: { ...text(10_000), nullable: true, default: 'Hello! How can I help you?' },
    voice: settings({
      voice_id: { ...text(256), nullable: true, default: null },
      tts_provider: name('cartesia'),
      tts_model: name('default'),
      language: name('en'),
    }),
    llm: settings({ llm_provider: name('openai'), model: name('gpt-4.1-mini') }),
    transcriber: settings({ stt_provider: name('deepgram'), stt_model: name('nova-3'), language: name('en') }),
    transport: settings({ sip_config: { type: 'object', default: {} } }),
  },
};

const params = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } };

const app = fastify();

app.decorateRequest('user', '');

app.addHook('onRequest', async (request, reply) => {
  const user = await verifyToken(request.headers.authorization);
  if (user === undefined) return reply.code(401).send({ message: 'Send a valid token' });
  request.setDecorator('user', user);
});

app.get<{ Params: { id: string } }>('/assistants/:id', { schema: { params } }, async (request, reply) => {
  const assistant = await read(request.getDecorator('user'), request.params.id);
  return assistant ?? reply.code(404).send({ message: 'No such assistant' });
});

app.post<{ Body: NewAssistant }>('/assistants', { schema: { body } }, async (request) =>
  insert(request.getDecorator('user'), request.body),
);

export const handler = awsLambdaFastify(app);
