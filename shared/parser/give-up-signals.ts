/**
 * Removes what could send signals to other processes, which Node's permissions do not restrict. With SIGUSR1, Node processes open a
 * debugger that can run anything.
 */
export function giveUpSignals(): void {
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd']) Reflect.deleteProperty(process, name);
}
