import type { ApiHandler } from '#lib/http/chain/api-handler.ts';

/** A full disk shows nowhere in what is read: /status/ looks whether the table can also be written. */
export async function tellOfFullDisk(
  handlers: ReadonlyMap<string, ApiHandler>,
  canWrite: () => boolean,
): Promise<ReadonlyMap<string, ApiHandler>> {
  const unavailable = await loadUnavailable();
  const guard =
    (handler: ApiHandler): ApiHandler =>
    (event, context) =>
      /^\/+status\/*$/.test(event.rawPath) && !canWrite()
        ? unavailable(event, context)
        : handler(event, context);
  return new Map([...handlers].map(([key, handler]) => [key, guard(handler)]));
}

/** What /status/ says of a table that cannot be reached. Loaded as the functions are: with their environment. */
async function loadUnavailable(): Promise<ApiHandler> {
  const { endpoints } = await import('#functions/endpoints.ts');
  const { publicHandler } = await import('#lib/http/chain/api-handler.ts');
  const { answerAnybody } = await import('#lib/http/chain/operation.ts');
  const { TableUnavailableError } = await import('#lib/table/errors.ts');
  const endpoint = endpoints['read-status'];
  return publicHandler(endpoints, endpoint, {
    read: answerAnybody(endpoint.paths.read, { query: 'ignored' }, async () => {
      throw new TableUnavailableError();
    }),
  });
}
