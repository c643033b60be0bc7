import type { Route } from '../../../shared/route.ts';
import { formatTable } from '../../terminal/markdown.ts';

/** Builds docs/endpoints.md. */
export const buildEndpointsPage = (routes: readonly Route[]): string => `<!-- Written by npm run derive -->

# Endpoints

Every path answers with and without a trailing slash. Fields, errors and examples are in \`/docs\` in a browser and in
[openapi.json](openapi.json). Where a quota is named, each request counts for it, if [a limit](quotas.md) applies.

${formatTable(
  ['Route', 'Method', 'Path', 'What it does', 'Quota'],
  routes
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en') || one.id.localeCompare(other.id, 'en'))
    .map(({ id, method, path, summary, quota }) => [
      `\`${id}\``,
      method,
      `\`${path}\``,
      summary,
      quota ? `\`${quota}\`` : '–',
    ]),
)}
`;
