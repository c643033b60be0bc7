import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/** Lets an agent keep at most `max` unused connections to all servers together. It closes those that it has kept for longest. */
export function limitKept(agent: Agent, max: number): void {
  const kept = new Set<Duplex>(); // oldest first
  const known = new WeakSet<Duplex>();
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket, request) => {
    kept.delete(socket);
    reuse(socket, request);
  };
  agent.on('free', (socket: Duplex) => {
    if (socket.destroyed) return;
    if (!known.has(socket)) socket.once('close', () => kept.delete(socket));
    known.add(socket);
    kept.add(socket);
    for (const oldest of kept) {
      if (kept.size <= max) return;
      kept.delete(oldest);
      oldest.destroy();
    }
  });
}
