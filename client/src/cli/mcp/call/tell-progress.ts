import type { ToolCall } from './tool-set.ts';

/** So that a client which waits for a sign of life gets one. */
const everyMs = 5_000;

/** Tells a client that asked for it how a call goes: at once, at every change and now and then. */
export function tellProgress(call: ToolCall, total: number, first: string) {
  const token = call._meta?.progressToken;
  if (token === undefined) return { say: () => undefined, stop: () => undefined };
  const begun = performance.now();
  let message = first;
  const tell = () => {
    const progress = (performance.now() - begun) / 1000;
    const params = { progressToken: token, progress, total, message };
    // A client that is gone needs no progress.
    call.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(tell, everyMs);
  tell();
  return {
    say: (words: string): void => {
      message = words;
      tell();
    },
    stop: (): void => clearInterval(timer),
  };
}
