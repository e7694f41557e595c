import {
  accountAt,
  addressOf,
  adminAddress,
  ledAddress,
  type ProjectPlace,
} from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { useSession } from '../../connection/session.ts';

interface ProjectTrailProps {
  readonly at: ProjectPlace;
  /** Whether the page is the project's own, which needs no link to itself. */
  readonly here?: boolean;
}

/** Leads back from a page about a project to the list of projects. */
export function ProjectTrail({ at, here = false }: ProjectTrailProps) {
  const { administrator } = useSession();
  const project = accountAt(at);
  return (
    <p class="quiet">
      <a href={administrator ? adminAddress.projects : addressOf.projects}>
        {pageNames.projects()}
      </a>{' '}
      · {at.hpc}
      {!here && (
        <>
          {' · '}
          <a href={administrator ? adminAddress.project(project) : ledAddress.project(project)}>
            {at.project}
          </a>
        </>
      )}
    </p>
  );
}
