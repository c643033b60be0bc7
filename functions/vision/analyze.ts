import { answerChat } from '../../shared/conversation/answer-chat.ts';
import { streamEndpoint } from '../../shared/http/stream-endpoint.ts';
import { analyze } from '../../shared/routes/vision.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';

/** Asks an assistant about an image. */
export const handler = streamEndpoint(analyze, async ({ body, user, audit, tell, count }) => {
  const { assistant_id, image, question, variables } = body;
  const content = [
    { type: 'text', text: question },
    { type: 'image_url', image_url: { url: image } },
  ];
  const { answer, completion } = await answerChat(
    { owner: user.key, audit, tell, count },
    { model: assistant_id, messages: [{ role: 'user', content }], variables, call: {}, execute_tools: true },
  );
  const { version } = completion.voice_assistants;
  return { body: toEnvelope('Image analyzed', { answer: answer.content, assistant_id, version, usage: answer.usage }) };
});
