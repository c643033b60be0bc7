import { Problem, run } from '../problem.ts';
import { startHost } from './host.ts';
import { dataDir, register, toShortPath } from './running.ts';

const hours = 12;

run(async () => {
  const dir = dataDir();
  const port = Number(process.env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Problem('PORT takes a number from 0 to 65535');
  const host = await startHost({ dir, port });
  const unregister = register(dir);
  process.once('exit', unregister);
  const stop = () => host.stop().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop);

  const token = await host.issuer.token({ sub: 'demo', ttl: hours * 3600 });
  console.log(`
The API is served at ${host.url} (data and logs in ${toShortPath(dir)}; Ctrl-C stops it).
${host.console ? `The console is at ${host.console}: sign in by any name, "demo" as an example.\nThe API reference is at ${host.url}/docs.\n` : ''}
A token for the user "demo", good for ${hours} hours (for others: npm run -s token -- --sub alice):

  export TOKEN=${token}

Create an assistant, then list them:

  curl -s ${host.url}/assistants/ -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
    -d '{"name": "Receptionist", "system_instruction": "You answer the phone of a dental clinic."}'

  curl -s ${host.url}/assistants/ -H "Authorization: Bearer $TOKEN"
`);
});
