import { join } from 'node:path';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { appkey, type NsgServer, startNsgServer } from '#test/upstreams/nsg-server.ts';
import { NsgTools, streamFiles } from '../imitations/nsg-tools.ts';
import { openHttpLine } from '../lines.ts';
import type { OpenStagedKind, Order, StagedJob, StagedSystem } from '../staged-system.ts';

const scriptName = 'run.sh';

/** Imitated gateways, one for each scene, whose tool runs a script of the zip. */
export const openImitatedNsg: OpenStagedKind = async (directory) => {
  const closing: (() => void)[] = [];
  return {
    kind: 'nsg',
    async openSystem(name) {
      const tools = new NsgTools(join(directory, name));
      const server = await startNsgServer(tools);
      closing.push(() => {
        tools.close();
        server.close();
      });
      return stageNsg(server, tools);
    },
    async close() {
      for (const close of closing) close();
    },
  };
};

async function stageNsg(server: NsgServer, tools: NsgTools): Promise<StagedSystem> {
  const line = await openHttpLine(server.baseUrl);
  const { program } = catalog.systems.find((system) => system.program.field === 'tool') ?? {};
  if (!program) throw new Error('The test catalog has no system of tools.');
  const endUsers = { emailDomain: 'example.org', institution: 'A university', country: 'DE' };
  const find = ({ jobId }: StagedJob) =>
    [...server.jobs.values()].filter(({ form }) => form['metadata.clientJobId'] === jobId);
  return {
    entry: { program, connector: { kind: 'nsg', baseUrl: line.url, endUsers } },
    credentials: { username: 'registrant', password: server.password, appkey },
    line,
    streams: streamFiles,
    write: writeForm,
    connect: (opened) => opened,
    async holdQueue() {
      tools.isHolding = true;
    },
    releaseQueue: async () => tools.release(),
    listActive: async (job) =>
      find(job).flatMap((each) => [
        ...(each.terminal ? [] : [each.handle]),
        ...tools.listPids(each).map((pid) => `process ${pid}`),
      ]),
    listLeft: async (job) => [...find(job).map(({ handle }) => handle), ...tools.listFiles()],
    async readRuns(job) {
      const [known] = find(job);
      if (!known) return [];
      const { messages } = known;
      const begun = messages.find(({ stage }) => stage === 'SUBMITTED')?.timestamp ?? '';
      const ended = messages.at(-1)?.timestamp ?? '';
      return [{ seconds: (Date.parse(ended) - Date.parse(begun)) / 1000, isLost: false }];
    },
    // The service goes by the moment at which it first saw the job run.
    slackSeconds: 2,
  };
}

/** The zip of a job holds the script that its form names. */
function writeForm({ script, files = [], zip }: Order) {
  const all = [{ name: scriptName, content: script }, ...files];
  return {
    command: '',
    wishes: {
      zip: zip ?? buildZip(all),
      fields: { command: undefined, tool: 'PY_EXPANSE', init_file: scriptName },
    },
  };
}
