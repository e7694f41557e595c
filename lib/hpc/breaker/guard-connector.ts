import type { Connector } from '../connector.ts';
import {
  AnswerTooLargeError,
  CredentialsRefusedError,
  JobRefusedError,
  RemoteFileNotFoundError,
  SystemBusyError,
  SystemUnavailableError,
  TransferTooSlowError,
} from '../errors.ts';

/** What a guarded connector asks before a call, and tells after it. */
export interface Guard {
  /** Throws where the system is not to be called. */
  admit(call: 'trial' | 'other'): void;
  countAnswer(): void;
  countFailure(reason: string): void;
}

/** Each call of the connector, as far as the guard lets it; a look at the health is the trial. */
export function guardConnector(connector: Connector, guard: Guard): Connector {
  async function watch<T>(kind: 'trial' | 'other', call: () => Promise<T>): Promise<T> {
    guard.admit(kind);
    try {
      const answer = await call();
      guard.countAnswer();
      return answer;
    } catch (error) {
      if (isAnswer(error)) guard.countAnswer();
      else if (isFailure(error)) guard.countFailure(error.message);
      throw error;
    }
  }
  return {
    ...connector,
    submit: (order) => watch('other', () => connector.submit(order)),
    findByTag: (tag) => watch('other', () => connector.findByTag(tag)),
    lookUp: (jobs) => watch('other', () => connector.lookUp(jobs)),
    cancel: (job) => watch('other', () => connector.cancel(job)),
    listFiles: (job) => watch('other', () => connector.listFiles(job)),
    openFile: (job, fileId) => watch('other', () => connector.openFile(job, fileId)),
    checkHealth: () => watch('trial', () => connector.checkHealth()),
  };
}

function isAnswer(error: unknown): boolean {
  return [
    SystemBusyError,
    JobRefusedError,
    RemoteFileNotFoundError,
    // The system did answer, and at length.
    AnswerTooLargeError,
    // It took what it was sent: one large input must not keep all other jobs from it.
    TransferTooSlowError,
  ].some((each) => error instanceof each);
}

/** Any other error is ours, or the table's, and says nothing about the system. */
function isFailure(error: unknown): error is Error {
  return error instanceof SystemUnavailableError || error instanceof CredentialsRefusedError;
}
