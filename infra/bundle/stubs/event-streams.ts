/**
 * Replaces `@smithy/core/event-streams` (12 KB) in the bundles. The S3 client loads it at startup, but only streaming
 * operations such as S3 Select use it, and the service calls none.
 */
export class EventStreamSerde {}
export const eventStreamSerdeProvider = (): undefined => undefined;
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
