/** A server as a source of a content security policy: scheme, host or `*.` and a domain, and maybe a port or `*`. */
const source = /^(wss?:)\/\/([^:/]+)(?::(\d+|\*))?$/;

const defaultPorts: Record<string, string> = { 'wss:': '443', 'ws:': '80' };

/** True if the console's policy lets it connect to a server of LiveKit. */
export function canConnect(url: string, voiceServers: readonly string[]): boolean {
  const { protocol, hostname, port } = new URL(url);
  const defaultPort = defaultPorts[protocol];
  return voiceServers.some((server) => {
    const [, scheme, host = '', allowedPort = ''] = source.exec(server) ?? [];
    const isHost = host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
    return (
      scheme === protocol && isHost && (allowedPort === '*' || (allowedPort || defaultPort) === (port || defaultPort))
    );
  });
}
