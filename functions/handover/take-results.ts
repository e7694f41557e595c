import { catalog } from '#lib/catalog/catalog.ts';
import {
  FilesEnvironment,
  PassEnvironment,
  readEnvironment,
  TableEnvironment,
} from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { announcedBytes } from '#lib/http/parsers/bodies/announced-bytes.ts';
import { resultsQuery } from '#lib/http/parsers/queries/pass-query.ts';
import { temporaryRedirect } from '#lib/http/respond.ts';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { takeResults } from '#lib/jobs/passes/take-results.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { endpoints } from '../endpoints.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { results } = openJobFiles(readEnvironment(FilesEnvironment));
const passes = createPasses(readEnvironment(PassEnvironment).PASS_SECRET);
const context = { table, catalog, results };
const endpoint = endpoints['take-results'];

export const handler = publicHandler(endpoints, endpoint, {
  take: answerAnybody(
    endpoint.paths.take,
    { query: resultsQuery, body: announcedBytes },
    async ({ path, query, body: bytes }) => {
      const { job_id: jobId } = path;
      const at = new Date();
      const account = passes.read(query.pass, { purpose: 'results', jobId, at });
      const announced = { bytes, secondsBefore: query.before, secondsAfter: query.after, at };
      return temporaryRedirect(await takeResults(context, account, jobId, announced));
    },
  ),
});
