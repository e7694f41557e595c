import { catalog } from '#lib/catalog/catalog.ts';
import { continueUpload } from '#lib/files/uploads/continue-upload.ts';
import { createUpload } from '#lib/files/uploads/create-upload.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { uploadBody } from '#lib/http/parsers/submission/submission-headers.ts';
import { presentUpload, presentUploadProgress } from '#lib/http/presenters/present-upload.ts';
import { ok, respond } from '#lib/http/respond.ts';
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
  continue: answer({}, async ({ caller, path }) => {
    const wish = { owner: caller.userId, id: path.upload_id };
    return ok(presentUploadProgress(await continueUpload(table, jobFiles.inputs, wish)));
  }),
});
