/**
 * Returns an environment variable that the stack sets for this function. Throws if it is missing.
 * Call it at module load, so that a misconfigured function fails at its first start and names the variable.
 */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
