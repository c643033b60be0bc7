import type { Following } from './send.ts';

/** A file on its way. */
export interface Upload {
  id: string;
  file: File;
  /** The assistant that it is attached to at once. */
  assistantId: string | undefined;
  state: 'waiting' | 'sending' | 'failed';
  /** How much is sent, as a share of 1. */
  sent: number;
  /** Why it failed. */
  error: unknown;
  /** The same for each attempt, so that one whose answer was lost makes no second record. */
  key: string;
}

/** Files that are sent, a few at a time. They go on while one looks at other pages. */
export interface UploadQueue {
  /** For useSyncExternalStore: the uploads that are not done, oldest first. */
  all(): readonly Upload[];
  subscribe(listener: () => void): () => void;
  add(files: readonly File[], assistantId?: string): void;
  retry(id: string): void;
  /** Ends an upload, or forgets one that failed. */
  cancel(id: string): void;
}

/** A queue that sends by `send`, at most `atOnce` at a time; an upload leaves it when what `send` promises is there. */
export function uploadQueue(send: (upload: Upload, following: Following) => Promise<unknown>, atOnce = 3): UploadQueue {
  let uploads: readonly Upload[] = [];
  const listeners = new Set<() => void>();
  const running = new Map<string, AbortController>();

  function become(next: readonly Upload[]): void {
    uploads = next;
    for (const listener of listeners) listener();
  }
  const change = (id: string, changes: Partial<Upload>) =>
    become(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const remove = (id: string) => become(uploads.filter((upload) => upload.id !== id));

  function next(): void {
    const upload = uploads.find(({ state }) => state === 'waiting');
    if (!upload || running.size >= atOnce) return;
    void run(upload);
    next();
  }

  async function run(upload: Upload): Promise<void> {
    const { id } = upload;
    const controller = new AbortController();
    running.set(id, controller);
    change(id, { state: 'sending', sent: 0, error: undefined });
    try {
      await send(upload, { tell: (sent) => change(id, { sent }), signal: controller.signal });
      remove(id);
    } catch (error) {
      change(id, { state: 'failed', error });
    } finally {
      running.delete(id);
      next();
    }
  }

  return {
    all: () => uploads,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(files, assistantId) {
      const added = files.map(
        (file): Upload => ({
          id: crypto.randomUUID(),
          file,
          assistantId,
          state: 'waiting',
          sent: 0,
          error: undefined,
          key: crypto.randomUUID(),
        }),
      );
      become([...uploads, ...added]);
      next();
    },
    retry(id) {
      change(id, { state: 'waiting' });
      next();
    },
    cancel(id) {
      running.get(id)?.abort();
      remove(id);
    },
  };
}
