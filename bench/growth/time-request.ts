import { Agent, request as send } from 'node:http';
import type { HttpRequest } from '../http/target.ts';

/** One connection that is kept, as a client with much to ask has it. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds from sending a request until the last byte of its answer is there. */
export function timeRequest(url: string, { method, path, headers }: HttpRequest): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = send(`${url}${path}`, { method, headers, agent, timeout: 30_000 }, (answer) => {
      const { statusCode = 0 } = answer;
      answer.on('error', reject);
      answer.on('end', () => {
        if (statusCode < 300) resolve(performance.now() - began);
        else reject(new Error(`${method} ${path} was answered with ${statusCode}.`));
      });
      answer.resume();
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered.`)));
    sent.on('error', reject);
    sent.end();
  });
}
