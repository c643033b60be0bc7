/**
 * Evaluates a definition. Put a PURE annotation before each call, as schemas and routes do, so that esbuild drops the
 * definitions that a function does not use. esbuild honors the annotation only directly before the call.
 */
export const define = <T>(definition: () => T): T => definition();
