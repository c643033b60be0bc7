/**
 * Replaces the JSON Schema validator of `@modelcontextprotocol/server` (150 KB) in the bundles. The server creates one at startup,
 * but checks only answers to questions that it asks its client, and the service asks none. The API checks the arguments of tools.
 */
export class DefaultJsonSchemaValidator {}
