/** A lazy chunk failed to load: the browser is offline, or a newer release deleted it. */
export class ChunkLoadError extends Error {}
