import { askNeeds, askTells, route } from '../route.ts';
import { Envelope } from '../schemas/common.ts';
import { ImageAnswer, ImageQuestion } from '../schemas/vision.ts';

export const analyze = /* @__PURE__ */ route(() => ({
  id: 'vision/analyze',
  method: 'POST',
  path: '/vision/analyze',
  scope: 'chat',
  summary: 'Ask an assistant about an image',
  description:
    "Asks the assistant's language model, with the assistant's prompt and tools, by its own vendor and your own key. `image` is an https " +
    'address, which the vendor reads, or the image itself as `data:image/png;base64,…`. For a conversation with images, use ' +
    '`POST /chat/completions`.',
  body: ImageQuestion,
  mayBeLossy: true,
  maxBodyBytes: 5 * 1024 * 1024,
  memoryMb: 1_024, // like completions/create
  repeatable: true,
  streamSeconds: 120,
  returns: Envelope(ImageAnswer),
  errors: ['NotFound', 'VendorRefused', 'VendorBusy', 'VendorUnavailable'],
  tells: askTells,
  quota: 'completions',
  needs: askNeeds,
}));
