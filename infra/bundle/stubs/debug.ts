/**
 * Replaces `debug` (10 KB) in the bundles. The library that looks into zip archives logs with it, which only an environment variable
 * would turn on.
 */
export default () => (): void => {};
