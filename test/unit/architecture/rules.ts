import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import type { RouteTable } from '#lib/http/routes/route.ts';
import { importsOf, type SourceFile, withoutComments } from './source-files.ts';

/** What breaks a rule, each as `file: what`; nothing where the rule holds. */
export type Violations = string[];

interface Direction {
  /** Files whose path begins so … */
  readonly from: readonly string[];
  /** … import nothing whose path, or package, begins so. */
  readonly never: readonly string[];
}

/** Imports run one way (design, section 4). */
const directions: readonly Direction[] = [
  {
    from: ['functions/'],
    never: ['local/', 'test/', 'infra/', 'tools/', 'bench/', '@aws-sdk/', '@smithy/'],
  },
  { from: ['lib/'], never: ['functions/', 'local/', 'infra/', 'tools/', 'bench/', 'test/'] },
  {
    from: [
      'lib/accounts/',
      'lib/audit/',
      'lib/bans/',
      'lib/events/',
      'lib/files/',
      'lib/hpc/',
      'lib/jobs/',
      'lib/quotas/',
      'lib/requests/',
      'lib/users/',
      'lib/webhooks/',
    ],
    never: ['lib/http/', 'lib/config.ts'],
  },
  {
    from: ['lib/table/', 'lib/catalog/'],
    never: ['lib/jobs/', 'lib/quotas/', 'lib/http/', 'lib/config.ts'],
  },
  {
    // Which service it is that logs is said by its environment.
    from: ['lib/telemetry/'],
    never: ['lib/jobs/', 'lib/quotas/', 'lib/http/'],
  },
  { from: ['local/', 'infra/', 'tools/'], never: ['test/', 'bench/'] },
  {
    // Whoever uses the service from outside has its interface, and nothing of its inside.
    from: ['client/', 'console/'],
    never: ['lib/', 'functions/', 'local/', 'infra/', 'tools/', 'bench/', 'test/'],
  },
  // A browser has no Node.
  { from: ['console/src/'], never: ['node:', 'client/src/node/', 'client/src/cli/'] },
];

export function findWrongImports(files: readonly SourceFile[]): Violations {
  return files.flatMap((file) => {
    const never = directions
      .filter(({ from }) => from.some((beginning) => file.path.startsWith(beginning)))
      .flatMap((direction) => direction.never);
    return importsOf(file)
      .filter((imported) => never.some((beginning) => imported.startsWith(beginning)))
      .map((imported) => `${file.path}: ${imported}`);
  });
}

/** The one reader of the environment, and the one that sets it for the functions on a laptop. */
const environmentFiles = [
  'lib/config.ts',
  'local/start-service.ts',
  // A package of its own, which a person runs: it has nothing of the service.
  'client/src/cli/terminal/host.ts',
];

export function findEnvironmentReaders(files: readonly SourceFile[]): Violations {
  return findInCode(
    files.filter(({ path }) => !environmentFiles.includes(path)),
    /\bprocess\s*(\.|\?\.|\[\s*['"`])\s*env\b|from 'node:process'|\benv\s*\}\s*=\s*process\b/g,
  );
}

const keysFile = 'lib/table/keys.ts';

/** Prefixes as keys.ts itself writes them: `USER#`, `JOB#`, … */
export function listKeyPrefixes(files: readonly SourceFile[]): string[] {
  const text = files.find(({ path }) => path === keysFile)?.text ?? '';
  const found = [...withoutComments(text).matchAll(/['"`]([A-Z]+#)/g)];
  return [...new Set(found.map(([, prefix = '']) => prefix))];
}

export function findKeyBuilders(
  files: readonly SourceFile[],
  prefixes: readonly string[],
): Violations {
  const others = files.filter(({ path }) => path !== keysFile);
  return findInCode(others, new RegExp(`['"\`](${prefixes.join('|')})`, 'g'));
}

/** Only lib/table writes the expressions of updates, so that all are built the same way. */
export function findHandWrittenUpdates(files: readonly SourceFile[]): Violations {
  const others = files.filter(
    ({ path }) => /^(lib|functions|tools)\//.test(path) && !path.startsWith('lib/table/'),
  );
  return findInCode(others, /\bUpdateExpression\b/g);
}

const vague = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers']);

export function findVagueNames(files: readonly SourceFile[]): Violations {
  return files
    .filter(({ path }) => path.split(/[/.-]/).some((word) => vague.has(word.toLowerCase())))
    .map(({ path }) => path);
}

/** `any` where a type stands; and what silences the compiler, which stands in comments. */
export function findUncheckedTypes(files: readonly SourceFile[]): Violations {
  const places = findInCode(files, /(?:[:<|&,(=]|\bas|\bextends|\bkeyof)\s*any\b(?!['"`\w-])/g);
  const silenced = files
    .filter(({ text }) => /@ts-(ignore|nocheck)\b/.test(text))
    .map(({ path }) => `${path}: @ts-ignore`);
  return [...places, ...silenced];
}

export function findMissingFiles(
  files: readonly SourceFile[],
  entries: Readonly<Record<string, { readonly file: string }>>,
): Violations {
  const paths = new Set(files.map(({ path }) => path));
  return Object.entries(entries)
    .filter(([, { file }]) => !paths.has(`functions/${file}.ts`))
    .map(([name, { file }]) => `${name}: functions/${file}.ts`);
}

export function findSharedKeys(routes: RouteTable): Violations {
  const keys = Object.values(routes).flatMap(gatewayKeys);
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

function findInCode(files: readonly SourceFile[], pattern: RegExp): Violations {
  return files.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`),
  );
}
