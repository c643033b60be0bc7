import livekit from '../../../docs/workers/livekit_worker.py?raw';
import pipecat from '../../../docs/workers/pipecat_worker.py?raw';
import node from '../../../docs/workers/worker.ts?raw';

/** A worker to start from. */
export interface Worker {
  title: string;
  files: { name: string; source: string }[];
}

/** Workers from docs/workers. */
export const workers: Worker[] = [
  { title: 'LiveKit, Python', files: [{ name: 'livekit_worker.py', source: livekit }] },
  { title: 'Pipecat', files: [{ name: 'pipecat_worker.py', source: pipecat }] },
  { title: 'LiveKit, Node', files: [{ name: 'worker.ts', source: node }] },
];
