import { describe, expect, it } from 'vitest';
import { addSegment, type Segment } from '../../../console/src/assistants/talk/transcript.ts';
import { canConnect } from '../../../console/src/assistants/talk/voice-servers.ts';

const you = (id: string, text: string): Segment => ({ id, by: 'you', text });

describe('the transcript of a call', () => {
  it('keeps the place of what is heard again, and drops what is empty', () => {
    const heard = [you('a', 'Good'), you('b', 'Hello'), you('a', 'Good day'), you('c', ' '), you('b', '')];
    const steps = heard.map((_, i) => heard.slice(0, i + 1).reduce<Segment[]>(addSegment, []));
    expect(steps.map((transcript) => transcript.map(({ text }) => text))).toEqual([
      ['Good'],
      ['Good', 'Hello'],
      ['Good day', 'Hello'],
      ['Good day', 'Hello'],
      ['Good day'],
    ]);
  });
});

describe('the servers that the console may connect to', () => {
  it.each([
    ['wss://clinic.livekit.cloud', 'wss://clinic.livekit.cloud', true],
    ['wss://clinic.livekit.cloud', 'wss://*.livekit.cloud', true],
    ['wss://a.b.livekit.cloud/path', 'wss://*.livekit.cloud', true],
    ['wss://livekit.cloud', 'wss://*.livekit.cloud', false],
    ['wss://evil-livekit.cloud', 'wss://*.livekit.cloud', false],
    ['wss://clinic.livekit.cloud.evil.example', 'wss://*.livekit.cloud', false],
    ['wss://other.example.com', 'wss://clinic.example.com', false],
    ['wss://clinic.example.com:7443', 'wss://clinic.example.com', false],
    ['wss://clinic.example.com:7443', 'wss://clinic.example.com:7443', true],
    ['wss://clinic.example.com:443', 'wss://clinic.example.com', true],
    ['wss://clinic.example.com', 'wss://clinic.example.com:443', true],
    ['ws://localhost:7880', 'ws://localhost:*', true],
    ['ws://localhost', 'ws://localhost:*', true],
    ['ws://localhost:7880', 'wss://localhost:*', false],
    ['ws://[::1]:7880', 'ws://localhost:*', false],
  ])('%s, as %s allows: %s', (url, server, expected) => {
    expect(canConnect(url, [server])).toBe(expected);
  });
});
