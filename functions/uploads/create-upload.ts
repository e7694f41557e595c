import { catalog } from '#lib/catalog/catalog.ts';
import { FilesEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { createUpload } from '#lib/files/uploads/create-upload.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { parseUpload } from '#lib/http/parsers/parse-upload.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentUpload } from '#lib/http/presenters/present-upload.ts';
import { respond } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { inputs } = openJobFiles(readEnvironment(FilesEnvironment));

export const handler = apiHandler(routes, routes['create-upload'], async ({ caller, event }) => {
  refuseQuery(event);
  const wish = parseUpload(caller, event);
  return respond(201, presentUpload(await createUpload(table, catalog, inputs, wish)));
});
