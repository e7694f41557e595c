import type { Names } from '#tools/story/things.ts';

const idNames = ['job_id', 'batch_id', 'webhook_id', 'request_id'] as const;

/** Keeps what things are called that were made, by the names of their fields. */
export function noteIds() {
  const bodies: Partial<Names>[] = [];
  return {
    note(answer: unknown) {
      const { statusCode, body } = Object(answer);
      if (statusCode === 201) bodies.push(JSON.parse(body));
    },
    about(which: 'first' | 'second'): Partial<Names> {
      const named = idNames.flatMap((name) => {
        const ids = bodies.flatMap(({ [name]: id }) => id ?? []);
        const id = ids[which === 'first' ? 0 : 1] ?? ids[0];
        return id === undefined ? [] : [[name, id]];
      });
      return Object.fromEntries(named);
    },
  };
}
