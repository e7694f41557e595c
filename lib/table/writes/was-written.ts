import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** What a write with a condition answers; nothing where it did not take place: that is no failure. */
export async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

export async function wasWritten(write: Promise<object>): Promise<boolean> {
  return (await unlessRefused(write)) !== undefined;
}
