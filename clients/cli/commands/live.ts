import type { components } from '../../typescript/src/schema.d.ts';
import { command } from '../command.ts';
import { UsageError } from '../errors.ts';
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
    const { data } = await client.PUT('/assistants/{assistant_id}/live', { params, body: { versions } });
    print(describeLive(data.data.live));
  },
});
