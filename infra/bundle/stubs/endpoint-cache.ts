/**
 * Replaces the package `@aws-sdk/endpoint-cache` (7 KB) in the bundles. The client creates a cache at startup, but uses
 * it only with endpoint discovery, which is off.
 */
export class EndpointCache {}
