import { afterEach, expect, it, vi } from 'vitest';
import { openAnswersApart } from '#local/answer-apart.ts';
import { LineFullError } from '#local/gateway/waiting-line.ts';

const thread = vi.hoisted(() => ({ asked: 0, stopped: 0 }));
vi.mock('#local/work-apart.ts', async (original) => ({
  ...(await original<object>()),
  startWorkThread: () => ({
    ask: () => {
      thread.asked += 1;
      return new Promise(() => undefined);
    },
    stop: () => {
      thread.stopped += 1;
    },
  }),
}));

afterEach(() => vi.useRealTimers());

it('says that nothing was done only of requests that no function has seen', async () => {
  vi.useFakeTimers();
  const input = {
    systems: [],
    stateDirectory: '',
    filesDirectory: undefined,
    machine: undefined,
    channelName: undefined,
  };
  const answer = openAnswersApart(input, () => undefined, new AbortController().signal);
  const request = { event: Object(null), pieces: [], bytes: 0 };
  let begun: unknown = 'no answer yet';
  answer('ada', request).catch((error: unknown) => {
    begun = error;
  });
  const waiting = expect(answer('bob', request)).rejects.toThrow(LineFullError);
  // Longer than the gateway waits for any answer.
  await vi.advanceTimersByTimeAsync(35_000);
  expect([thread, begun]).toEqual([{ asked: 1, stopped: 0 }, 'no answer yet']);
  await vi.advanceTimersByTimeAsync(6_000);
  await waiting;
  expect(thread).toEqual({ asked: 1, stopped: 1 });
});
