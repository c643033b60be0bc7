import { ApiError } from '../../typescript/src/api-error.ts';
import type { Client } from '../../typescript/src/client.ts';
import type { components } from '../../typescript/src/schema.d.ts';
import { command } from '../command.ts';
import { UsageError, UserError } from '../errors.ts';
import { findAssistantId } from '../find-assistant.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { print } from '../terminal.ts';

type Live = components['schemas']['Live'];

/** Parses `7`, `7=90 8=10` or `draft`. Throws UsageError. */
function parseShares(shares: string[]): { version: number; weight: number }[] {
  if (shares.length === 1 && shares[0] === 'draft') return [];
  return shares.map((share) => {
    const [, version, weight] = /^(\d{1,9})(?:=(\d{1,3}))?$/.exec(share) ?? [];
    if (version === undefined || (weight === undefined && shares.length > 1))
      throw new UsageError(
        `${share} is no version with its share of calls: write 7=90 8=10, one version as 7, or draft`,
      );
    return { version: Number(version), weight: Number(weight ?? 100) };
  });
}

/** Returns a sentence for a version that does not exist, with the newest that do. Undefined if all exist. */
async function describeMissing(client: Client, name: string, assistant_id: string, wanted: number[]) {
  const params = { path: { assistant_id }, query: { limit: 100 } };
  const { versions, next_cursor } = (await client.GET('/assistants/{assistant_id}/versions', { params })).data.data;
  const known = versions.map(({ version }) => version);
  const missing = wanted.find((version) => !known.includes(version));
  if (missing === undefined || next_cursor !== null) return undefined;
  const advice = known.length > 0 ? `the newest are ${known.slice(0, 5).join(', ')}` : 'publish makes the first';
  return `There is no version ${missing} of ${name}: ${advice}`;
}

/** Describes which versions calls get. */
const describeLive = (live: Live | null) =>
  live && live.versions.length > 0
    ? live.versions.map(({ version, weight }) => `version ${version}: ${weight} % of calls`).join('\n')
    : 'Calls get the draft';

export const live = command({
  summary: 'Choose which versions calls get, or show them',
  args: 'ASSISTANT [VERSION[=PERCENT]]…',
  count: [1, 6],
  details: 'ASSISTANT is an id, a file, or a name. Examples: live clinic 7, live clinic 7=90 8=10, live clinic draft',
  options: connectOptions,
  async run([assistant = '', ...shares], values) {
    const versions = parseShares(shares);
    const { client } = await connect(values);
    const params = { path: { assistant_id: await findAssistantId(client, assistant) } };
    if (shares.length === 0) {
      const { data } = await client.GET('/assistants/{assistant_id}', { params });
      return print(describeLive(data.live));
    }
    const request = client.PUT('/assistants/{assistant_id}/live', { params, body: { versions } });
    const { data } = await request.catch(async (error) => {
      const wanted = versions.map(({ version }) => version);
      const isRefused = error instanceof ApiError && error.status === 409;
      const sentence = isRefused && (await describeMissing(client, assistant, params.path.assistant_id, wanted));
      throw sentence ? new UserError(sentence) : error;
    });
    print(describeLive(data.data.live));
  },
});
