import gifenc from 'gifenc';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** What was to be seen from a moment on. */
interface Frame {
  /** Seconds. */
  at: number;
  /** Base64. */
  png: string;
}

const size = { width: 960, height: 600 };
/** Of 256 colours, the one that leaves what was there before. */
const unchanged = 255;
/** Frames that are nearer to each other than a viewer can tell. In seconds. */
const shortest = 0.1;
/** How long the end is shown, before a viewer begins again. In seconds. */
const last = 4;

/** One after the other, without those that are over at once. */
const lasting = (frames: Frame[]): Frame[] =>
  frames.filter(({ at }, i) => (frames[i + 1]?.at ?? Number.POSITIVE_INFINITY) - at >= shortest);

/** Red, green, blue and alpha of each point, line by line. */
const pointsOf = ({ png }: Frame): Buffer => PNG.sync.read(Buffer.from(png, 'base64')).data;
/** The same, a number for each point. */
const numbersOf = (frame: Frame): Uint32Array => new Uint32Array(Uint8Array.from(pointsOf(frame)).buffer);
const rgbOf = (number: number) => [number & 255, (number >> 8) & 255, (number >> 16) & 255];

/** Half are the colours that most is painted with, so that what is flat stays so; the other half, those that fit the rest best. */
function coloursOf(frames: Frame[]): number[][] {
  const counts = new Map<number, number>();
  for (const frame of frames) for (const number of numbersOf(frame)) counts.set(number, (counts.get(number) ?? 0) + 1);
  const often = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 128);
  return [
    ...often.map(([number]) => rgbOf(number)),
    ...gifenc.quantize(Buffer.concat(frames.map(pointsOf)), unchanged - often.length),
  ];
}

/** A GIF of frames that runs as fast as they were seen. Its colours are those of a few of them. */
function gifOf(frames: Frame[]): Uint8Array {
  const palette = coloursOf(frames.filter((_, i) => i % Math.ceil(frames.length / 5) === 0));
  const nearest = new Map<number, number>();
  const indexOf = (number: number): number => {
    const index = nearest.get(number) ?? gifenc.nearestColorIndex(palette, rgbOf(number));
    nearest.set(number, index);
    return index;
  };
  const gif = gifenc.GIFEncoder();
  let before: Uint32Array | undefined;
  for (const [i, frame] of frames.entries()) {
    const now = numbersOf(frame);
    const changes = Uint8Array.from(now, (number, j) => (number === before?.[j] ? unchanged : indexOf(number)));
    gif.writeFrame(changes, size.width, size.height, {
      ...(i === 0 && { palette }),
      delay: ((frames[i + 1]?.at ?? frame.at + last) - frame.at) * 1000,
      transparent: i > 0,
      transparentIndex: unchanged,
      dispose: 1,
    });
    before = now;
  }
  gif.finish();
  return gif.bytes();
}

/** Films a page from now on, whenever something changes; what it gives ends that, and gives the GIF. */
export async function film(page: Page): Promise<() => Promise<Uint8Array>> {
  const devtools = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  devtools.on('Page.screencastFrame', async ({ data, metadata, sessionId }) => {
    frames.push({ at: metadata.timestamp ?? 0, png: data });
    await devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined); // the page may be gone
  });
  await devtools.send('Page.startScreencast', { format: 'png', maxWidth: size.width, maxHeight: size.height });
  return async () => {
    await devtools.send('Page.stopScreencast');
    return gifOf(lasting(frames));
  };
}
