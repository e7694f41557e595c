import { catalog } from '#lib/catalog/catalog.ts';
import { createUpload } from '#lib/files/uploads/create-upload.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { uploadBody } from '#lib/http/parsers/submission/submission-headers.ts';
import { presentUpload } from '#lib/http/presenters/present-job.ts';
import { respond } from '#lib/http/respond.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'create-upload', {
  create: answer({ body: uploadBody }, async ({ caller, body }) => {
    const wish = { owner: caller.userId, ...body };
    const { groups } = caller;
    return respond(
      201,
      presentUpload(await createUpload(table, catalog, jobFiles.inputs, wish, groups)),
    );
  }),
});
