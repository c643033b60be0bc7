import * as v from 'valibot';
import { define } from '../define.ts';
import { Envelope, Integer, List, object, rule, Timestamp } from './common.ts';

/** Number of a version. Starts at 1. */
export const VersionNumber = /* @__PURE__ */ define(() => Integer(1, 999_999));

/** A version that calls get, with its share of them in percent. */
const Share = /* @__PURE__ */ define(() => object({ version: VersionNumber, weight: Integer(1, 100) }));
export type Share = v.InferOutput<typeof Share>;

/** Versions that calls get. */
export const Live = /* @__PURE__ */ define(() =>
  v.object({
    versions: v.array(v.object({ version: v.number(), weight: v.number() })),
    since: Timestamp,
    changed_by: v.string(),
  }),
);
export type Live = v.InferOutput<typeof Live>;

const Shares = /* @__PURE__ */ define(() =>
  v.pipe(
    List(Share, 5),
    rule(
      'weights',
      null,
      'The weights should add up to 100',
      (shares: Share[]) => shares.length === 0 || shares.reduce((sum, { weight }) => sum + weight, 0) === 100,
    ),
    rule(
      'duplicate_version',
      null,
      'Each version should be named once',
      (shares: Share[]) => new Set(shares.map(({ version }) => version)).size === shares.length,
    ),
  ),
);

/** Version that is to be live, or several with their weights. An empty list makes the draft live. */
export const LiveChange = /* @__PURE__ */ define(() =>
  object({ version: v.optional(VersionNumber), versions: v.optional(Shares) }),
);
export type LiveChange = v.InferOutput<typeof LiveChange>;

/** Response with the versions that calls get; null while they get the draft. */
export const OneLive = /* @__PURE__ */ define(() => Envelope(v.object({ live: v.nullable(Live) })));
