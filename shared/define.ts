/**
 * Evaluates a definition. Put a PURE annotation before each call, as schemas and routes do: the bundler then drops the
 * definitions that a function does not use. (esbuild trusts an annotation only where it stands at the call itself.)
 */
export const define = <T>(definition: () => T): T => definition();
