import type { SendOptions } from './send-upload.ts';

/** A file to upload. */
export interface Upload {
  id: string;
  file: File;
  /** Assistant to attach it to. */
  assistantId: string | undefined;
  /** Languages of its scans and pictures. None: the API detects them. */
  languages: readonly string[];
  state: 'waiting' | 'sending' | 'failed';
  /** Progress as a fraction of 1. */
  progress: number;
  /** Reason of the failure. */
  error: unknown;
  /** Idempotency key of all attempts, so that a lost response causes no duplicate. */
  key: string;
}

/** Uploads that run a few at a time, and continue while the user visits other pages. */
export interface UploadQueue {
  /** Returns the unfinished uploads, oldest first. The same array until something changes, for useSyncExternalStore. */
  getAll(): readonly Upload[];
  subscribe(listener: () => void): () => void;
  add(files: readonly File[], assistantId?: string, languages?: readonly string[]): void;
  retry(id: string): void;
  /** Aborts an upload, or removes a failed one. */
  cancel(id: string): void;
}

/**
 * Creates a queue that runs `send` for at most `maxConcurrent` uploads at a time. An upload leaves the queue when its `send`
 * resolves.
 */
export function createUploadQueue(
  send: (upload: Upload, options: SendOptions) => Promise<unknown>,
  maxConcurrent = 3,
): UploadQueue {
  let uploads: readonly Upload[] = [];
  const listeners = new Set<() => void>();
  const running = new Map<string, AbortController>();

  function setUploads(next: readonly Upload[]): void {
    uploads = next;
    for (const listener of listeners) listener();
  }
  const change = (id: string, changes: Partial<Upload>) =>
    setUploads(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const remove = (id: string) => setUploads(uploads.filter((upload) => upload.id !== id));

  function startNext(): void {
    const upload = uploads.find(({ state }) => state === 'waiting');
    if (!upload || running.size >= maxConcurrent) return;
    void run(upload);
    startNext();
  }

  async function run(upload: Upload): Promise<void> {
    const { id } = upload;
    const controller = new AbortController();
    running.set(id, controller);
    change(id, { state: 'sending', progress: 0, error: undefined });
    try {
      await send(upload, { onProgress: (progress) => change(id, { progress }), signal: controller.signal });
      remove(id);
    } catch (error) {
      change(id, { state: 'failed', error });
    } finally {
      running.delete(id);
      startNext();
    }
  }

  return {
    getAll: () => uploads,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(files, assistantId, languages = []) {
      const added = files.map(
        (file): Upload => ({
          id: crypto.randomUUID(),
          file,
          assistantId,
          languages,
          state: 'waiting',
          progress: 0,
          error: undefined,
          key: crypto.randomUUID(),
        }),
      );
      setUploads([...uploads, ...added]);
      startNext();
    },
    retry(id) {
      change(id, { state: 'waiting' });
      startNext();
    },
    cancel(id) {
      running.get(id)?.abort();
      remove(id);
    },
  };
}
