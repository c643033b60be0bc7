import * as v from 'valibot';
import { define } from '../define.ts';
import { Name, object, openObject, rule, Uuid } from './common.ts';
import { VariableValues } from './runtime-config.ts';

const imagePattern = /^(?:https:\/\/\S{1,2000}|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2})$/;

/** An image: a public address, which the vendor reads, or the image itself. */
const Image = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule(
      'image',
      imagePattern.source,
      'Input should be an https address, or a PNG, JPEG, GIF or WebP image as data:image/png;base64,…',
      (text: string) => imagePattern.test(text),
    ),
  ),
);

/** A question about an image. */
export const ImageQuestion = /* @__PURE__ */ define(() =>
  object({ assistant_id: Uuid, image: Image, question: Name(10_000), variables: v.optional(VariableValues, {}) }),
);

/** An assistant's answer about an image. `version` is null for the draft. */
export const ImageAnswer = /* @__PURE__ */ define(() =>
  v.object({
    answer: v.nullable(v.string()),
    assistant_id: Uuid,
    version: v.nullable(v.number()),
    usage: v.nullable(openObject({})),
  }),
);
