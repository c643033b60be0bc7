/**
 * Stands in the bundles for the package `@aws-sdk/endpoint-cache` (7 KB): the client makes one at its start, and only ever
 * uses it when endpoint discovery is switched on, which it is not.
 */
export class EndpointCache {}
