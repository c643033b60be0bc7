import livekit from '../../../docs/workers/livekit_worker.py?raw';
import pipecat from '../../../docs/workers/pipecat_worker.py?raw';
import client from '../../../docs/workers/voice_assistants.py?raw';
import node from '../../../docs/workers/worker.ts?raw';

/** A worker to start from. Its first file is the one to run. */
export interface Worker {
  title: string;
  files: { name: string; source: string }[];
}

const shared = { name: 'voice_assistants.py', source: client };

/** Workers from docs/workers. */
export const workers: Worker[] = [
  { title: 'LiveKit, Python', files: [{ name: 'livekit_worker.py', source: livekit }, shared] },
  { title: 'Pipecat', files: [{ name: 'pipecat_worker.py', source: pipecat }, shared] },
  { title: 'LiveKit, Node', files: [{ name: 'worker.ts', source: node }] },
];
