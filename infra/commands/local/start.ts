import { startHost } from '../../local/host.ts';
import { getDataDir, registerHost, toShortPath } from '../../local/running-hosts.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';

const hours = 12;

const usage = `Usage: npm start
Serves the API and the console on this machine. PORT sets the port (3000), DATA_DIR the folder for data and logs (.local).`;

run(async () => {
  readArguments(usage);
  const dir = getDataDir();
  const port = Number(process.env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UserError('PORT must be a number from 0 to 65535');
  const host = await startHost({ dir, port });
  const unregister = registerHost(dir);
  process.once('exit', unregister);
  const { promise: stopRequest, resolve: stop } = Promise.withResolvers<unknown>();
  // Later signals change nothing: with `once`, the second, such as run.mjs forwards, would end this process, but not its database.
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  stopRequest.then(host.stop).then(() => process.exit(0));

  const token = await host.issuer.token({ sub: 'demo', ttl: hours * 3600 });
  console.log(`
The API is served at ${host.url} (data and logs in ${toShortPath(dir)}; Ctrl-C stops it).
${host.console ? `The console is at ${host.console}: sign in with any name, for example "demo".\nThe API reference is at ${host.url}/docs.\n` : ''}
Its address, and a token for the user "demo", valid for ${hours} hours (for other users: npm run -s token -- --sub alice):

  export API=${host.url}
  export TOKEN=${token}

Create an assistant, then list them:

  curl -s $API/assistants -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
    -d '{"name": "Receptionist", "system_instruction": "You answer the phone of a dental clinic."}'

  curl -s $API/assistants -H "Authorization: Bearer $TOKEN"
`);
});
