import { routeNames, routes } from '#functions/routes.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import type * as LoadHandlers from '#local/load-handlers.ts';

type Loading = typeof LoadHandlers;
type CallAs = <T>(name: string, call: () => T) => T;

/** The same functions; each is called by its name. `$default` calls those that it holds in its own. */
export function nameHandlers(loading: Loading, callAs: CallAs): Loading {
  const names = new Map<string, string>([
    ...routeNames.flatMap((name) =>
      gatewayKeys(routes[name]).map((key): [string, string] => [key, name]),
    ),
    ['$default', 'fallback'],
  ]);
  const nameOf = (key: string) => {
    const name = names.get(key);
    if (name === undefined) throw new Error(`No function has the key ${key}.`);
    return name;
  };
  return {
    ...loading,
    async loadHandlers() {
      const held = [...(await loading.loadHandlers())];
      return new Map(
        held.map(([key, handler]) => [
          key,
          (...parameters: Parameters<typeof handler>) =>
            callAs(nameOf(key), () => handler(...parameters)),
        ]),
      );
    },
    async loadSchedules() {
      return (await loading.loadSchedules()).map(named);
    },
    async loadSchedule(...parameters) {
      return named(await loading.loadSchedule(...parameters));
    },
    async loadStreamReaders() {
      return (await loading.loadStreamReaders()).map((reader) => ({
        ...reader,
        handler: (...parameters) => callAs(reader.name, () => reader.handler(...parameters)),
      }));
    },
    async loadListeners() {
      return (await loading.loadListeners()).map((listener) => ({
        ...listener,
        handler: (...parameters) => callAs(listener.name, () => listener.handler(...parameters)),
      }));
    },
  };

  function named({ name, call }: LoadHandlers.LoadedSchedule): LoadHandlers.LoadedSchedule {
    return { name, call: (context) => callAs(name, () => call(context)) };
  }
}
