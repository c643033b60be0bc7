/**
 * Stands in the bundles for `@smithy/core/event-streams` (12 KB): only operations that stream events use it, such as S3 Select,
 * and the service calls none. S3's client asks for it at its start.
 */
export class EventStreamSerde {}
export const eventStreamSerdeProvider = (): undefined => undefined;
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
