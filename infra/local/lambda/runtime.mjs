// Execution environment of a function: a process that loads the bundle and handles one event at a time, as on Lambda.
// Receives { event, deadline } messages from its parent (function-runner.ts) and answers { result } or { error }. Before, a function that
// streams sends { chunk } messages, each after the parent's answer to the one before: { next }, or { gone } if nobody reads any more.
import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { createResponseStream, installResponseStreams, isStreaming } from './response-streams.mjs';

const entry = process.argv[2];
const bundle = pathToFileURL(dirname(entry) + sep).href;

// Rejects modules outside the bundle, because Lambda has none of them.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (found.url.startsWith('node:') || found.url.startsWith(bundle)) return found;
    throw new Error(`"${specifier}" is not in the bundle, so it will be missing on Lambda`);
  },
});

let requestId;

// Prints logs in Lambda's JSON format. A logged object becomes the message.
for (const [method, level] of Object.entries({
  log: 'INFO',
  info: 'INFO',
  debug: 'DEBUG',
  warn: 'WARN',
  error: 'ERROR',
})) {
  console[method] = (...parts) => {
    const message = parts.length === 1 && typeof parts[0] === 'object' ? parts[0] : format(...parts);
    process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level, requestId, message })}\n`);
  };
}

const {
  AWS_LAMBDA_FUNCTION_NAME: functionName,
  AWS_LAMBDA_FUNCTION_VERSION: functionVersion,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memoryLimitInMB,
} = process.env;
installResponseStreams();
// Lets later environments of the function start with a quarter less work.
enableCompileCache(join(dirname(entry), '.compile-cache'));
const { handler } = createRequire(entry)(entry);
flushCompileCache();

let onAnswer;

/** Sends a piece of a streamed response. Resolves when the parent wants the next one. */
function sendChunk(chunk) {
  process.send({ chunk: chunk.toString('base64') });
  return new Promise((resolve, reject) => {
    onAnswer = ({ gone }) => (gone ? reject(new Error('The client is gone')) : resolve());
  });
}

async function handle({ event, deadline, awsRequestId }) {
  requestId = awsRequestId;
  const context = {
    functionName,
    functionVersion,
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB,
    awsRequestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  try {
    if (!isStreaming(handler)) return process.send({ result: await handler(event, context) });
    await handler(event, createResponseStream(sendChunk), context);
    process.send({ result: null });
  } catch (error) {
    console.error(error?.stack ?? error);
    process.send({ error: String(error) });
  }
}

process.on('message', (message) => (message.event ? handle(message) : onAnswer(message)));
process.on('disconnect', () => process.exit()); // the host died, so no one waits for the result
process.send({ ready: true });
