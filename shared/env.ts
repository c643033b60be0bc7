/**
 * The value of an environment variable that the stack sets for this function.
 * Read at load, so that a function that lacks one fails its first start and says which.
 */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
