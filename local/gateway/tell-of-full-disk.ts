import { endpoints } from '#functions/endpoints.ts';
import { type ApiHandler, publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';

const endpoint = endpoints['read-status'];

/** What /status/ says of a table that cannot be reached. */
const unavailable = publicHandler(endpoints, endpoint, {
  read: answerAnybody(endpoint.paths.read, { query: 'ignored' }, async () => {
    throw new TableUnavailableError();
  }),
});

/** A full disk shows nowhere in what is read: /status/ looks whether the table can also be written. */
export function tellOfFullDisk(
  handlers: ReadonlyMap<string, ApiHandler>,
  canWrite: () => boolean,
): ReadonlyMap<string, ApiHandler> {
  const guard =
    (handler: ApiHandler): ApiHandler =>
    (event, context) =>
      /^\/+status\/*$/.test(event.rawPath) && !canWrite()
        ? unavailable(event, context)
        : handler(event, context);
  return new Map([...handlers].map(([key, handler]) => [key, guard(handler)]));
}
