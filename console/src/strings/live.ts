/** A version that calls get, with its share of them in percent. */
export interface Share {
  version: number;
  weight: number;
}

/** Formats a version: `v7`. */
export const label = (version: number) => `v${version}`;

/** Formats a share of the calls. */
export const percent = (weight: number) => `${weight} %`;

/** Formats the versions that calls get: `v7`, or `v7 10 % · v6 90 %`. */
export const shares = (versions: readonly Share[]) =>
  versions.length === 1
    ? label(versions[0]?.version ?? 0)
    : versions.map(({ version, weight }) => `${label(version)} ${percent(weight)}`).join(' · ');

/** Texts on what calls get of an assistant. Apart from those on its versions, because the editor needs them at first. */
export const live = {
  draft: 'Draft',
  live: (versions: readonly Share[]) => `Live ${shares(versions)}`,
  unpublished: 'Unpublished changes',
  unpublishedShort: 'Unpublished',
  history: 'Version history',
  publish: 'Publish…',
} as const;
