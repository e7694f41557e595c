import { type Description, type Form, follow, nameOf, type Parameter } from './description.ts';

/** One operation, which may have several paths: `/jobs/` and `/jobs/{hpc}/` both list jobs. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly tag: string;
  /** The notation of docs/interface.md: `/jobs/[{hpc}/]`. */
  readonly path: string;
  readonly forms: readonly { readonly id: string; readonly path: string }[];
  /** The form with most parameters; those that another form lacks are optional. */
  readonly longest: Form;
  readonly parameters: readonly Parameter[];
  readonly problems: readonly string[];
}

/** Gathers the operations in the order of the description. */
export function listOperations(description: Description): Operation[] {
  const found = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, form]) => (form ? [{ path, method, form }] : [])),
  );
  const named = Map.groupBy(found, ({ form }) => form['x-operation']);
  return [...named].map(([name, forms]) => {
    const [first] = forms;
    const longest = forms.map(({ form }) => form).reduce(longerOf);
    const [tag] = longest.tags;
    const tags = new Set(forms.flatMap(({ form }) => form.tags));
    const known = description.tags.map((each) => each.name);
    if (!first || tags.size > 1 || !known.includes(tag)) {
      const words = [...tags].join(', ');
      throw new Error(`docs/openapi.json: ${name} needs one tag that is described: ${words}.`);
    }
    const isEverywhere = ({ name }: Parameter) =>
      forms.every(({ form }) => form.parameters.some((each) => each.name === name));
    return {
      name,
      tag,
      longest,
      method: first.method.toUpperCase(),
      path: longest['x-path'],
      forms: forms.map(({ path, form }) => ({ id: form.operationId, path })),
      parameters: longest.parameters.map((each) => ({
        ...each,
        required: each.required && isEverywhere(each),
      })),
      problems: listProblems(description, longest),
    };
  });
}

function longerOf(one: Form, other: Form): Form {
  return other.parameters.length > one.parameters.length ? other : one;
}

/** Names of problems, as `responses` names each set of them: `busy.timeout`. */
function listProblems(description: Description, { responses }: Form): string[] {
  const names = Object.values(responses).flatMap((answer) => {
    if (!('$ref' in answer)) return [];
    follow(description.components.responses, answer.$ref);
    return nameOf(answer.$ref).split('.');
  });
  return [...new Set(names)];
}
