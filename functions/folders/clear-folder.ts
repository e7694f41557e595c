import * as v from 'valibot';
import { EmptyingUnconfirmedError } from '#lib/files/errors.ts';
import { requireLeaderOfFolder, requireMember } from '#lib/files/folders/folder-members.ts';
import { noteEmptied } from '#lib/files/folders/note-emptied.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { presentFolder } from '#lib/http/presenters/present-folder.ts';
import { ok } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { endpoints } from '../endpoints.ts';
import { openFolderFor, visitorOf } from '../project-folders.ts';
import { table } from '../table.ts';

export const handler = projectHandler(endpoints, 'clear-folder', table, {
  remove: answer({}, async ({ caller, path }) => {
    await requireMember(table, visitorOf(caller), path.project_name);
    const folder = await openFolderFor(caller, path);
    return ok(presentFolder(projectAt(path), folder, await folder.remove(path.file_id)));
  }),
  empty: answer(
    { query: v.object({ confirm: v.optional(v.string()) }) },
    async ({ caller, path, query: { confirm } }) => {
      await requireLeaderOfFolder(table, visitorOf(caller), path.project_name);
      const folder = await openFolderFor(caller, path);
      const project = projectAt(path);
      if (folder.isInReach) {
        const { files = 0, bytes = 0 } = (await folder.measure()) ?? {};
        if (confirm !== project.project) throw new EmptyingUnconfirmedError(project, files, bytes);
        await noteEmptied(table, { project, by: caller.userId, files, bytes });
      }
      return ok(presentFolder(project, folder, await folder.empty()));
    },
  ),
});
