/** A command, run in the folder of its tool. */
export type Step = readonly [string, ...string[]];

/** A generator of clients, and how its client is made, compiled and used. */
export interface Generator {
  readonly name: string;
  readonly version: string;
  /** The program that submits a job, and the place of its copy among what is generated. */
  readonly program: readonly [from: string, to: string];
  readonly generates: readonly Step[];
  readonly compiles: readonly Step[];
  readonly submits: readonly Step[];
}

/** Places on this machine that steps name. */
export interface Places {
  readonly description: string;
  /** A folder with a Python of its own, which has the packages below. */
  readonly python: string;
  readonly bin: string;
  readonly cache: string;
}

const openapiGenerator = '7.25.0';
const jar = `openapi-generator-cli-${openapiGenerator}.jar`;

/** The generator for Python, and what the clients of both generators for Python need. */
export const pythonPackages = [
  'openapi-python-client==0.29.1',
  'httpx==0.28.1',
  'pydantic==2.14.3',
  'python-dateutil==4.0.0',
  'urllib3==2.8.0',
];

export function listGenerators({ description, python, bin, cache }: Places): Generator[] {
  const fromJar = (language: string): Step[] => [
    [
      ...(['mvn', '-q', '-B', 'dependency:copy', `-DoutputDirectory=${cache}`] as const),
      `-Dartifact=org.openapitools:openapi-generator-cli:${openapiGenerator}`,
    ],
    ['java', '-jar', `${cache}/${jar}`, 'generate', '-i', description, '-g', language, '-o', '.'],
  ];
  const typed: Step[] = [[`${bin}/tsc`, '-p', '.']];
  const bundled: Step[] = [
    [`${bin}/esbuild`, 'submit.ts', '--bundle', '--platform=node', '--outfile=submit.mjs', esm],
    [process.execPath, 'submit.mjs'],
  ];
  const goModule: Step = ['go', 'mod', 'edit', '-module', 'example.org/slipway'];
  const built: Step[] = [
    ['go', 'mod', 'tidy'],
    ['go', 'build', './...'],
  ];
  return [
    {
      name: 'openapi-python-client',
      version: '0.29.1',
      program: ['openapi_python_client.py', 'submit.py'],
      generates: [
        [
          ...([`${python}/bin/openapi-python-client`, 'generate', '--meta', 'none'] as const),
          ...['--path', description, '--output-path', 'slipway_client'],
        ],
      ],
      compiles: [importAll(python, 'slipway_client')],
      submits: [[`${python}/bin/python`, 'submit.py']],
    },
    {
      name: 'openapi-generator python',
      version: openapiGenerator,
      program: ['openapi_generator.py', 'submit.py'],
      generates: fromJar('python'),
      compiles: [importAll(python, 'openapi_client')],
      submits: [[`${python}/bin/python`, 'submit.py']],
    },
    {
      name: 'openapi-generator typescript-fetch',
      version: openapiGenerator,
      program: ['typescript-fetch.ts.txt', 'submit.ts'],
      generates: fromJar('typescript-fetch'),
      compiles: typed,
      submits: bundled,
    },
    {
      name: 'openapi-generator go',
      version: openapiGenerator,
      program: ['openapi-generator.go', 'submit/main.go'],
      generates: [...fromJar('go'), goModule, ['rm', '-r', 'test']],
      compiles: built,
      submits: [['go', 'run', './submit']],
    },
    {
      name: 'openapi-generator java',
      version: openapiGenerator,
      program: ['Submit.java', 'src/main/java/Submit.java'],
      generates: fromJar('java'),
      compiles: [
        [
          ...([
            'mvn',
            '-q',
            '-B',
            '-DskipTests',
            'compile',
            'dependency:copy-dependencies',
          ] as const),
          '-DoutputDirectory=jars',
        ],
      ],
      submits: [['java', '-cp', 'target/classes:jars/*', 'Submit']],
    },
    {
      name: 'oapi-codegen',
      version: '2.8.2',
      program: ['oapi-codegen.go', 'submit/main.go'],
      generates: [
        ['go', 'mod', 'init', 'example.org/slipway'],
        ['go', 'mod', 'edit', '-require', 'github.com/oapi-codegen/runtime@v1.8.0'],
        [
          ...([
            'go',
            'run',
            'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
          ] as const),
          ...['-package', 'slipway', '-generate', 'types,client', '-o', 'client.go', description],
        ],
      ],
      compiles: built,
      submits: [['go', 'run', './submit']],
    },
    {
      name: 'openapi-typescript',
      version: '7.13.0',
      program: ['openapi-typescript.ts.txt', 'submit.ts'],
      generates: [
        ['npm', 'install', '--silent', 'openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
        ['node_modules/.bin/openapi-typescript', description, '-o', 'api.d.ts'],
      ],
      compiles: typed,
      submits: bundled,
    },
  ];
}

const esm = '--format=esm';

/** Imports every module of a package. */
function importAll(python: string, name: string): Step {
  const code = `import importlib, pkgutil, ${name}
for module in pkgutil.walk_packages(${name}.__path__, '${name}.'): importlib.import_module(module.name)`;
  return [`${python}/bin/python`, '-c', code];
}
