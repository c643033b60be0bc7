import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { DataPacket, JoinRequest, SignalRequest, WrappedJoinRequest } from '@livekit/protocol';
import type { BrowserContext, Page } from 'playwright-core';

/** Converts a text message to a frame of a WebSocket (RFC 6455, section 5.2). */
function toFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(4);
  head.writeUInt8(0x81, 0);
  if (payload.length < 126) return Buffer.concat([Buffer.of(0x81, payload.length), payload]);
  head.writeUInt8(126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** Frame that closes a WebSocket as its browser wants, with the status 1000. */
const normalClose = Buffer.of(0x88, 2, 0x03, 0xe8);

/** Takes the first message off what a browser sent. Undefined until it is complete. Browsers mask each frame, and send it whole. */
function takeMessage(received: Buffer): { opcode: number; payload: Buffer; rest: Buffer } | undefined {
  if (received.length < 2) return undefined;
  const short = received.readUInt8(1) & 0x7f;
  const start = short === 126 ? 8 : 6;
  if (received.length < start) return undefined;
  const length = short === 126 ? received.readUInt16BE(2) : short;
  if (received.length < start + length) return undefined;
  const mask = received.subarray(start - 4, start);
  const payload = received.subarray(start, start + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return {
    opcode: received.readUInt8(0) & 0x0f,
    payload: Buffer.from(payload),
    rest: received.subarray(start + length),
  };
}

/** Runs in the page that stands in for the media server. */
declare const peer: {
  answer(sdp: string): Promise<string>;
  send(bytes: number[]): Promise<void>;
  countAudio(): Promise<number>;
};

/** Prepares a page to answer one connection. */
function installPeer(): void {
  const connection = new RTCPeerConnection();
  const context = new AudioContext();
  const tone = context.createMediaStreamDestination();
  context.createOscillator().connect(tone);
  let reliable: RTCDataChannel | undefined;
  connection.ondatachannel = ({ channel }) => {
    if (channel.label === '_reliable') reliable = channel;
  };
  Object.assign(window, {
    peer: {
      async answer(sdp: string) {
        await connection.setRemoteDescription({ type: 'offer', sdp });
        await connection.setLocalDescription();
        while (connection.iceGatheringState !== 'complete')
          await new Promise((resolve) =>
            connection.addEventListener('icegatheringstatechange', resolve, { once: true }),
          );
        return connection.localDescription?.sdp;
      },
      async send(bytes: number[]) {
        while (reliable?.readyState !== 'open') await new Promise((resolve) => setTimeout(resolve, 20));
        reliable.send(new Uint8Array(bytes));
      },
      async countAudio() {
        const reports = [...(await connection.getStats()).values()];
        return reports.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')?.packetsReceived ?? 0;
      },
    },
  });
}

/**
 * A server of LiveKit for one call: its signals are scripted here, and its media are a connection of a second page, since a whole media
 * server is not available. It takes every token that `admits` accepts, and shows what a browser sends.
 */
export async function startLiveKit(admits: (token: string) => boolean) {
  const server = createServer((_, response) => response.writeHead(401, { 'access-control-allow-origin': '*' }).end());
  let page: Page | undefined;
  let socket: Socket | undefined;
  const paths: string[] = [];
  const tokens: string[] = [];
  const requests: string[] = [];

  const send = (message: object) => socket?.write(toFrame(JSON.stringify(message)));
  const answer = async ({ sdp, id }: { sdp: string; id: number }) =>
    send({ answer: { type: 'answer', sdp: await page?.evaluate((offer) => peer.answer(offer), sdp), id } });

  async function hear(payload: Buffer): Promise<void> {
    const { message } = SignalRequest.fromBinary(payload);
    requests.push(message.case ?? '');
    if (message.case === 'addTrack') {
      const { cid, type, source } = message.value;
      send({ trackPublished: { cid, track: { sid: 'TR_microphone', type, source, name: 'microphone' } } });
    }
    if (message.case === 'offer') await answer(message.value);
    if (message.case === 'mute') requests.push(`muted ${message.value.muted}`);
  }

  async function welcome({ searchParams }: URL): Promise<void> {
    const wrapped = WrappedJoinRequest.fromBinary(Buffer.from(searchParams.get('join_request') ?? '', 'base64url'));
    const { publisherOffer } = JoinRequest.fromBinary(gunzipSync(wrapped.joinRequest));
    send({
      join: {
        room: { sid: 'RM_1', name: 'room' },
        participant: { sid: 'PA_browser', identity: 'browser', state: 'ACTIVE', permission: { canPublish: true } },
        serverInfo: { version: '1.9.0', protocol: 16 },
        pingInterval: 600,
        pingTimeout: 600,
      },
    });
    if (publisherOffer) await answer(publisherOffer);
  }

  server.on('upgrade', (request: IncomingMessage, upgraded: Socket) => {
    const url = new URL(request.url ?? '', 'ws://livekit');
    const token = url.searchParams.get('access_token') ?? '';
    paths.push(url.pathname);
    tokens.push(token);
    if (!admits(token)) return void upgraded.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    socket = upgraded;
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    upgraded.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    let received = Buffer.alloc(0);
    upgraded.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      for (let taken = takeMessage(received); taken; taken = takeMessage(received)) {
        received = Buffer.from(taken.rest);
        if (taken.opcode === 8) upgraded.end(normalClose);
        else if (taken.opcode === 2) void hear(taken.payload);
      }
    });
    upgraded.on('error', () => upgraded.destroy());
    void welcome(url);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const agent = { sid: 'PA_agent', identity: 'agent', kind: 'AGENT' };
  const sendPacket = (packet: ConstructorParameters<typeof DataPacket>[0]) =>
    page?.evaluate((bytes) => peer.send(bytes), [...new DataPacket(packet).toBinary()]);
  let streams = 0;
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    tokens,
    requests,
    /** Opens the page that stands in for the media server. */
    async open(context: BrowserContext) {
      page = await context.newPage();
      await page.evaluate(installPeer);
    },
    /** Lets a worker join or leave. */
    setAgent: (state: 'ACTIVE' | 'DISCONNECTED') => send({ update: { participants: [{ ...agent, state }] } }),
    setSpeaking: (active: boolean) =>
      send({ speakersChanged: { speakers: [{ sid: agent.sid, active, level: active ? 1 : 0 }] } }),
    /** Sends a text stream with what somebody said, in pieces. */
    async say(participantIdentity: string, segment: string, ...pieces: string[]) {
      const streamId = `stream-${streams++}`;
      const attributes = { 'lk.segment_id': segment };
      const contentHeader = { case: 'textHeader' as const, value: {} };
      const header = { streamId, topic: 'lk.transcription', mimeType: 'text/plain', attributes, contentHeader };
      await sendPacket({ participantIdentity, value: { case: 'streamHeader', value: header } });
      for (const [chunkIndex, piece] of pieces.entries()) {
        const value = { streamId, chunkIndex: BigInt(chunkIndex), content: new TextEncoder().encode(piece) };
        await sendPacket({ participantIdentity, value: { case: 'streamChunk', value } });
      }
      await sendPacket({ participantIdentity, value: { case: 'streamTrailer', value: { streamId } } });
    },
    /** Returns the number of audio packets that have come from the browser. */
    countAudio: () => page?.evaluate(() => peer.countAudio()),
    isConnected: () => socket !== undefined && !socket.destroyed && !socket.writableEnded,
    async stop() {
      await page?.close();
      socket?.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
