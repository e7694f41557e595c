import { lambdaOf } from './functions-of.ts';
import { render, renderText } from './render.ts';
import { findAll, joinServing, type Resource, type Templates } from './synthesize.ts';

export interface RoleDocuments {
  /** As the templates have them. */
  readonly documents: readonly unknown[];
  /** Policies that no template of ours has, by their names. */
  readonly foreign: readonly string[];
}

/** All policies of a function's role, wherever in the templates they stand. */
export function findRoleDocuments(templates: Templates, name: string): RoleDocuments {
  const service = joinServing(templates);
  const roleId = /^<(\w+)\.Arn>$/.exec(
    renderText(lambdaOf(templates, name).Properties.Role, templates),
  )?.[1];
  const role = service.Resources[roleId ?? ''];
  if (!role || roleId === undefined) throw new Error(`${name} has no role of its own.`);
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::RolePolicy']
    .flatMap((type) => findAll(service, type))
    .filter(([, { Properties }]) => JSON.stringify(Properties).includes(`"${roleId}"`));
  const held = [role, ...attached.map(([, policy]) => policy)].map((each) =>
    documentsOf(each, templates),
  );
  return {
    documents: held.flatMap(({ documents }) => documents),
    foreign: held.flatMap(({ foreign }) => foreign),
  };
}

/** Of a role, or of a policy that is attached to one. */
function documentsOf({ Properties }: Resource, templates: Templates): RoleDocuments {
  const {
    Policies = [],
    PolicyDocument,
    ManagedPolicyArns = [],
  } = Properties as {
    Policies?: { PolicyDocument: unknown }[];
    PolicyDocument?: unknown;
    ManagedPolicyArns?: unknown[];
  };
  const own = [...Policies.map((policy) => policy.PolicyDocument), PolicyDocument];
  const managed = ManagedPolicyArns.map((arn) => followManaged(arn, templates));
  return {
    documents: [...own, ...managed.flatMap(({ documents }) => documents)].filter(
      (document) => document !== undefined,
    ),
    foreign: managed.flatMap(({ foreign }) => foreign),
  };
}

/** One of ours, by what it says; any other by its name. */
function followManaged(arn: unknown, templates: Templates): RoleDocuments {
  const name = JSON.stringify(render(arn, templates));
  const own = findAll(templates.data, 'AWS::IAM::ManagedPolicy').find(
    ([id]) => name === `"<${id}>"`,
  );
  return own ? documentsOf(own[1], templates) : { documents: [], foreign: [name] };
}
