import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Returns the result of a conditional write, or undefined if its condition did not hold. */
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
