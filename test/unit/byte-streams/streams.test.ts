import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cutAfter, holdToLength, readWhole, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import { receivePieces, sendPieces, watchTransfer } from '#lib/byte-streams/transfer.ts';

const text = (...words: string[]) =>
  ReadableStream.from<Uint8Array>(words.map((word) => Buffer.from(word)));

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'none',
    (error: unknown) => error,
  );
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a transfer', () => {
  it('stops when the peer is silent for too long, but only when it is the peer’s turn', () => {
    const watch = watchTransfer(100);
    vi.advanceTimersByTime(99);
    watch.rest();
    vi.advanceTimersByTime(1000);
    watch.expect();
    vi.advanceTimersByTime(99);
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.stopped).toBe('stalled');
  });

  it('stops when it takes too long, even if bytes keep moving', () => {
    const watch = watchTransfer(100);
    watch.allow(250);
    for (const _ of [1, 2]) {
      vi.advanceTimersByTime(99);
      watch.expect();
    }
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(52);
    expect(watch.stopped).toBe('too slow');
  });

  it.each(['end', 'hangUp'] as const)('leaves no timer after its %s', (end) => {
    const watch = watchTransfer(100);
    watch.allow(250);
    watch[end]();
    expect(vi.getTimerCount()).toBe(0);
    expect(watch.signal.aborted).toBe(end === 'hangUp');
    expect(watch.stopped).toBeUndefined();
  });
});

describe('sending', () => {
  it('sends everything', async () => {
    const sending = sendPieces({ bytes: 4, stream: text('ab', 'cd') }, watchTransfer(100));
    expect(sending.isDone()).toBe(false);
    expect(String(await buffer(sending.stream))).toBe('abcd');
    expect(sending.isDone()).toBe(true);
    expect(sending.failure).toBeUndefined();
  });

  it.each([
    { bytes: 5, message: 'There are 4 of the 5 bytes announced.' },
    { bytes: 3, message: 'There are more than the 3 bytes announced.' },
  ])('fails if $bytes bytes were announced', async ({ bytes, message }) => {
    const sending = sendPieces({ bytes, stream: text('ab', 'cd') }, watchTransfer(100));
    expect(await failureOf(buffer(sending.stream))).toMatchObject({ message });
    expect(sending.failure).toMatchObject({ message });
  });

  it('waits for its source without a limit, and for its receiver with one', async () => {
    const watch = watchTransfer(100);
    const slow = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      yield Buffer.from('ab');
    };
    const sending = sendPieces({ bytes: 2, stream: ReadableStream.from(slow()) }, watch);
    const reader = sending.stream.getReader();
    const first = reader.read();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await first).done).toBe(false);
    expect(watch.stopped).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(watch.stopped).toBe('stalled');
  });

  it('releases the source when the receiver hangs up, even before it started', async () => {
    for (const isBegun of [false, true]) {
      const cancel = vi.fn();
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) =>
        controller.enqueue(Buffer.from('a'));
      const source = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
      const { stream } = sendPieces({ bytes: 100, stream: source }, watchTransfer(100));
      const reader = stream.getReader();
      if (isBegun) await reader.read();
      await reader.cancel();
      expect(cancel).toHaveBeenCalledOnce();
    }
  });
});

describe('receiving', () => {
  const down = new Error('down');

  it('passes on what was sent, and leaves no timer', async () => {
    const stream = receivePieces(text('ab', 'cd'), watchTransfer(100), () => down);
    expect(String(await buffer(stream))).toBe('abcd');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails with the error that explains the sender', async () => {
    const broken = async function* () {
      yield Buffer.from('ab');
      throw new TypeError('terminated');
    };
    const stream = receivePieces(broken(), watchTransfer(100), () => down);
    expect(await failureOf(buffer(stream))).toBe(down);
  });

  it('waits without a limit while nobody asks for more', async () => {
    const watch = watchTransfer(100);
    const reader = receivePieces(text('ab', 'cd'), watch, () => down).getReader();
    await vi.advanceTimersByTimeAsync(1000);
    await reader.read();
    await vi.advanceTimersByTimeAsync(1000);
    expect(watch.signal.aborted).toBe(false);
    await reader.cancel();
    expect(watch.signal.aborted).toBe(true);
  });
});

describe('a stream of pieces', () => {
  it('pulls nothing before it is asked', async () => {
    let made = 0;
    const pieces = async function* () {
      for (;;) {
        made += 1;
        yield Buffer.from('a');
      }
    };
    const reader = streamPieces(pieces(), () => undefined).getReader();
    await vi.advanceTimersByTimeAsync(1);
    expect(made).toBe(0);
    await reader.read();
    await vi.advanceTimersByTimeAsync(1);
    expect(made).toBe(1);
  });
});

describe('lengths', () => {
  const fail = (found: number) => new Error(`found ${found}`);

  it.each([
    { bytes: 4, outcome: 'abcd' },
    { bytes: 5, outcome: 'found 4' },
    { bytes: 3, outcome: 'found 4' },
    { bytes: 1, outcome: 'found 2' },
  ])('held to $bytes give $outcome', async ({ bytes, outcome }) => {
    const held = buffer(holdToLength(text('ab', 'cd'), bytes, fail));
    const seen = await held.then(String, (error: Error) => error.message);
    expect(seen).toBe(outcome);
  });

  it.each([
    { bytes: 9, outcome: 'abcd' },
    { bytes: 4, outcome: 'abcd' },
    { bytes: 3, outcome: 'abc' },
    { bytes: 2, outcome: 'ab' },
  ])('cut after $bytes give $outcome', async ({ bytes, outcome }) => {
    expect(String(await buffer(cutAfter(text('ab', 'cd'), bytes)))).toBe(outcome);
  });

  it('are read whole up to the limit', async () => {
    expect(String(await readWhole(text('ab', 'cd'), 4))).toBe('abcd');
    expect(await readWhole(text('ab', 'cd'), 3)).toBeUndefined();
  });
});
