import { appendFileSync } from 'node:fs';
import type { PermissionProxies } from '../../infra/local/iam/proxy.ts';

/** Adds what a host used of the granted permissions to the report of a run of all tests (infra/commands/check.ts), if one is written. */
export function reportPermissions(proxies: PermissionProxies): void {
  const { RIGHTS_REPORT: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify(proxies.report())}\n`);
}
