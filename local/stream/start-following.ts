import type { Drained } from './drain-all.ts';
import { type FollowedStream, followStream, type LoadedReader } from './follow-stream.ts';

/** Between the stream of the embedded table and the functions that read it. */
export function startFollowing(
  stream: FollowedStream,
  readers: readonly LoadedReader[],
  settled: () => Promise<unknown> = async () => undefined,
): readonly Drained[] {
  stream.setReaders(readers.map(({ name }) => name));
  const followers = readers.map((reader) => followStream(stream, reader, settled));
  const wakeAll = (): void => {
    for (const follower of followers) follower.wake();
  };
  stream.onCommit(wakeAll);
  // What was not yet told when the process before this one ended.
  wakeAll();
  return followers;
}
