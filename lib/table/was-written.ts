import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Whether a write with a condition took place; that it did not is an answer, and no failure. */
export async function wasWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
