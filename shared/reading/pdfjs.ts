/** What pdf.js makes one of when it loads, for a canvas that it never gets here. */
class NoDrawing {}

async function start() {
  const globals: Record<string, unknown> = globalThis;
  globals.DOMMatrix ??= NoDrawing;
  globals.Path2D ??= NoDrawing;
  // It warns of a canvas that it misses, before it can be told to be silent.
  const { warn } = console;
  console.warn = () => {};
  try {
    // Loaded beside it, its worker runs in this thread.
    await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    console.warn = warn;
  }
}

let started: ReturnType<typeof start> | undefined;

/** pdf.js, loaded when first asked for: 2 MB that a function reads for PDFs only. */
export const pdfjs = (): ReturnType<typeof start> => {
  started ??= start();
  return started;
};
