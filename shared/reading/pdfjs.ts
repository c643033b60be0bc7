/** Stub of the canvas classes that pdf.js instantiates when it loads, but never uses here. */
class DrawingStub {}

async function load() {
  const globals: Record<string, unknown> = globalThis;
  globals.DOMMatrix ??= DrawingStub;
  globals.Path2D ??= DrawingStub;
  // pdf.js warns about the missing canvas before its verbosity can be set.
  const { warn } = console;
  console.warn = () => {};
  try {
    // If its worker is already imported, pdf.js runs it in this thread.
    await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    console.warn = warn;
  }
}

let loaded: ReturnType<typeof load> | undefined;

/** Loads pdf.js on first use. Its 2 MB are needed for PDFs only. */
export const loadPdfjs = (): ReturnType<typeof load> => {
  loaded ??= load();
  return loaded;
};
