import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  composeEnvironment,
  type EnvironmentGroups,
} from '#infra/constructs/functions/compose-environment.ts';
import { declareRoute } from '#infra/constructs/functions/declarations.ts';
import {
  CallerEnvironment,
  EventsEnvironment,
  FilesEnvironment,
  HandOverEnvironment,
  IdentityEnvironment,
  PagingEnvironment,
  PassEnvironment,
  SecretsEnvironment,
  TableEnvironment,
} from '#lib/config.ts';
import { allFunctions, type Declared, lambdaOf } from './functions-of.ts';
import { renderText } from './render.ts';
import {
  type Context,
  centre,
  production,
  synthesize,
  type Templates,
  withAwsBatch,
  withDomain,
  withIssuer,
} from './synthesize.ts';

const everywhere = ['SERVICE_NAME'];
const ofCognito = ['ADMIN_CLAIMS', 'ADMIN_VALUE', 'AUDIENCE', 'ISSUER', 'USER_CLAIM'];
const ofIssuer = ['AUDIENCE', 'ISSUER', 'JWKS_URI'];

/** What Lambda itself puts into every environment. */
const ofLambda = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
  AWS_SESSION_TOKEN: 'example',
};

describe.each([
  {
    identity: 'with a user directory',
    context: {},
    variables: ofCognito,
    ofCommand: ['COMMAND_CLIENT_ID', 'COMMAND_SCOPE', 'COMMAND_TOKEN', 'COMMAND_REDIRECT_HOST'],
  },
  { identity: 'with an issuer', context: withIssuer, variables: ofIssuer, ofCommand: [] },
])('$identity', ({ context, variables, ofCommand }) => {
  const templates = synthesize(context);

  describe.each(allFunctions)('the environment of $name', (declared) => {
    const environment = environmentOf(templates, declared.name);

    it('holds what the function declares, and nothing else', () => {
      const groups: [boolean, string[]][] = [
        [true, everywhere],
        [declared.verifiesTokens, variables],
        [declared.tableUses.length > 0, ['TABLE_NAME']],
        [usesFiles(declared), ['INPUTS_BUCKET', 'RESULTS_BUCKET']],
        [declared.publishes, ['EVENT_BUS_NAME']],
        [declared.signsCursors, ['CURSOR_SECRET']],
        [declared.checksPasses, ['PASS_SECRET']],
        [declared.handsOver, ['PASS_SECRET', 'PUBLIC_URL']],
        [declared.readsSecrets, ['HPC_SECRETS']],
        [declared.namesSignIn, ['PUBLIC_URL', 'ISSUER', 'AUDIENCE', ...ofCommand]],
      ];
      const expected = new Set(groups.flatMap(([asked, names]) => (asked ? names : [])));
      expect(Object.keys(environment).toSorted()).toEqual([...expected].toSorted());
    });

    it('satisfies the schemas of lib/config.ts', () => {
      for (const schema of schemasOf(declared)) {
        expect(v.safeParse(schema, { ...ofLambda, ...environment }).issues).toBeUndefined();
      }
    });
  });
});

/** Who verifies tokens reads an issuer as any other does: one of them shows it. */
describe.each([
  { identity: 'with a user directory', context: {}, loaded: allFunctions },
  {
    identity: 'with an issuer',
    context: withIssuer,
    loaded: allFunctions.filter(({ name }) => name === 'read-jobs'),
  },
])('$identity', ({ context, loaded }) => {
  const templates = synthesize(context);

  it.each(loaded)('the environment of $name is enough to load the function', async (declared) => {
    const environment = environmentOf(templates, declared.name);
    const loadedFunction = await loadFunction(declared.file, environment);
    expect(loadedFunction).toHaveProperty('handler', expect.any(Function));
  });
});

describe('a variable that is missing', () => {
  const environment = environmentOf(synthesize(), 'read-jobs');

  it.each(['TABLE_NAME', 'CURSOR_SECRET', 'ISSUER'])(
    '%s keeps the function from loading',
    async (name) => {
      const { [name]: _, ...rest } = environment;
      await expect(loadFunction('jobs/read-jobs', rest)).rejects.toThrow(name);
    },
  );

  it('does not compile', () => {
    const settings: EnvironmentGroups = {
      table: { TABLE_NAME: 'slipway' },
      files: { INPUTS_BUCKET: 'inputs', RESULTS_BUCKET: 'results' },
      events: { EVENT_BUS_NAME: 'slipway' },
      // @ts-expect-error AUDIENCE is missing, which lib/config.ts requires.
      identity: { ISSUER: 'https://sso.example.org' },
      callers: {},
      paging: { CURSOR_SECRET: 'secret' },
      passes: { PASS_SECRET: 'secret' },
      handOver: { PASS_SECRET: 'secret', PUBLIC_URL: 'https://slipway.example.org' },
      secrets: {},
      mail: {},
      mailLinks: {},
      signIn: {
        PUBLIC_URL: 'https://slipway.example.org',
        ISSUER: 'https://sso.example.org',
        AUDIENCE: 'slipway',
      },
    };
    expect(settings.table).toEqual({ TABLE_NAME: 'slipway' });
  });
});

describe('settings', () => {
  const settings: EnvironmentGroups = {
    table: { TABLE_NAME: 'slipway' },
    files: { INPUTS_BUCKET: 'inputs', RESULTS_BUCKET: 'results' },
    events: { EVENT_BUS_NAME: 'slipway' },
    identity: { ISSUER: 'https://sso.example.org', AUDIENCE: 'slipway', JWKS_URI: undefined },
    callers: { CALLER_RATE: undefined },
    paging: { CURSOR_SECRET: 'secret' },
    passes: { PASS_SECRET: 'secret' },
    handOver: { PASS_SECRET: 'secret', PUBLIC_URL: 'https://slipway.example.org' },
    secrets: {},
    awsBatch: {},
    budget: { MONTHLY_BUDGET_USD: undefined },
    mail: { MAIL_FROM: undefined },
    mailLinks: {},
    signIn: {
      PUBLIC_URL: 'https://slipway.example.org',
      ISSUER: 'https://sso.example.org',
      AUDIENCE: 'slipway',
    },
  };

  it('that nobody gave are not in the environment at all', () => {
    const declaration = declareRoute({
      method: 'GET',
      paths: { a: '/' },
      access: 'caller',
      file: 'a',
    });
    expect(composeEnvironment(declaration, settings)).toEqual({
      ISSUER: 'https://sso.example.org',
      AUDIENCE: 'slipway',
    });
  });

  it('of the operator reach the functions', () => {
    const templates = synthesize({
      ...withIssuer,
      userClaim: 'preferred_username',
      adminClaims: 'roles',
      adminValue: 'hpc-admin',
    });
    expect(environmentOf(templates, 'read-jobs')).toMatchObject({
      ISSUER: withIssuer.issuer,
      AUDIENCE: withIssuer.audience,
      JWKS_URI: withIssuer.jwksUri,
      USER_CLAIM: 'preferred_username',
      ADMIN_CLAIMS: 'roles',
      ADMIN_VALUE: 'hpc-admin',
    });
  });

  it('of the operator say how often one caller may call, to those who know their callers', () => {
    const templates = synthesize({ ...withIssuer, callerRate: '3', callerBurst: '30' });
    const limit = { CALLER_RATE: '3', CALLER_BURST: '30' };
    for (const name of ['read-jobs', 'submit-job', 'fallback']) {
      expect(environmentOf(templates, name)).toMatchObject(limit);
    }
    expect(environmentOf(templates, 'read-status')).not.toHaveProperty('CALLER_RATE');
  });

  it('of the operator say how the command signs in', () => {
    const templates = synthesize({ ...withIssuer, commandClientId: 'cli', commandScope: 'openid' });
    for (const name of ['read-reference', 'fallback']) {
      expect(environmentOf(templates, name)).toMatchObject({
        ISSUER: withIssuer.issuer,
        AUDIENCE: withIssuer.audience,
        COMMAND_CLIENT_ID: 'cli',
        COMMAND_SCOPE: 'openid',
      });
    }
  });

  it('put the budget into the functions that submit jobs or show it, and no others', () => {
    const holdersIn = (context: Context) => {
      const templates = synthesize(context);
      const budgets = allFunctions.flatMap(({ name }) => {
        const { MONTHLY_BUDGET_USD: budget } = environmentOf(templates, name);
        return budget === undefined ? [] : [[name, budget]];
      });
      return Object.fromEntries(budgets);
    };
    expect(holdersIn({ ...withAwsBatch, monthlyBudgetUsd: '250' })).toEqual({
      // Answers submissions whose path lacks its last slash.
      fallback: '250',
      'read-systems': '250',
      'submit-batch': '250',
      'submit-job': '250',
    });
    expect(holdersIn(withAwsBatch)).toEqual({});
    expect(holdersIn({ monthlyBudgetUsd: '250' })).toEqual({});
  });

  it('name the service by its stage', () => {
    expect(environmentOf(synthesize(production), 'read-jobs')).toMatchObject({
      SERVICE_NAME: 'slipway-prod',
    });
  });

  it('keep the secrets of the cursors and the passes out of the template', () => {
    expect(environmentOf(synthesize(production), 'read-jobs').CURSOR_SECRET).toMatch(
      /^\{\{resolve:secretsmanager:CursorSecret\w+:SecretString:::\}\}$/,
    );
    expect(environmentOf(synthesize(), 'read-jobs').CURSOR_SECRET).toMatch(
      /^cursors:\{\{resolve:secretsmanager:PassSecret\w+:SecretString:::\}\}$/,
    );
    for (const name of ['hand-out-input', 'take-results', 'track-jobs', 'hand-over-jobs']) {
      expect(environmentOf(synthesize(), name).PASS_SECRET).toMatch(
        /^\{\{resolve:secretsmanager:PassSecret\w+:SecretString:::\}\}$/,
      );
    }
  });

  it.each(['track-jobs', 'hand-over-jobs', 'read-reference'])(
    'tell %s where the service answers',
    (name) => {
      expect(environmentOf(synthesize(), name).PUBLIC_URL).toMatch(/^GatewayApi\w+-ApiEndpoint$/);
      expect(environmentOf(synthesize(withDomain), name).PUBLIC_URL).toBe(
        'https://jobs.example.org',
      );
    },
  );
});

describe('an environment that Lambda would refuse', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-many-systems-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  function catalogOf(count: number): string {
    const file = join(directory, `${count}.json`);
    const { systems } = JSON.parse(readFileSync(String(centre.catalog), 'utf8'));
    const many = Array.from({ length: count }, (_, index) => ({
      ...systems[0],
      name: `hpc_${String.fromCharCode(97 + (index % 26), 97 + Math.trunc(index / 26))}`,
      projects: [{ ...systems[0].projects[0], name: `project_${index}`, number: index + 1 }],
    }));
    writeFileSync(file, JSON.stringify({ systems: many }));
    return file;
  }

  it('is refused with the variable that grew and what to do about it', () => {
    expect(() => synthesize({ catalog: catalogOf(40) })).toThrow(
      /^The environment of [a-z-]+ may take \d+ bytes, and Lambda allows 4096\. Most of it is HPC_SECRETS with \d+ bytes\. .* from another deployment\.$/,
    );
  });

  it('is refused as well if a setting of the operator makes it so long', () => {
    const audience = 'a'.repeat(4000);
    expect(() => synthesize({ ...withIssuer, audience })).toThrow(
      'Most of it is AUDIENCE with 4000 bytes. Give it a shorter value.',
    );
  });

  it('is not one with as many systems as fit', () => {
    const environment = environmentOf(synthesize({ catalog: catalogOf(24) }), 'track-jobs');
    expect(Object.keys(JSON.parse(environment.HPC_SECRETS ?? ''))).toHaveLength(24);
  });
});

const processEnvironment = process.env;

afterEach(() => {
  process.env = processEnvironment;
});

/** Functions read their environment on loading; this one has nothing but what it is given. */
async function loadFunction(file: string, environment: Record<string, string>): Promise<unknown> {
  vi.resetModules();
  process.env = { ...environment, ...ofLambda };
  if (file === 'fallback') {
    const { loadFallback } = await import('#local/load-handlers.ts');
    return { handler: await loadFallback() };
  }
  return import(/* @vite-ignore */ join(import.meta.dirname, `../../functions/${file}.ts`));
}

/** References become plain names: what CloudFormation puts there is text as well. */
function environmentOf(templates: Templates, name: string): Record<string, string> {
  const { Variables = {} } = lambdaOf(templates, name).Properties.Environment as {
    Variables?: Record<string, unknown>;
  };
  return Object.fromEntries(
    Object.entries(Variables).map(([variable, value]) => [
      variable,
      lookUp(renderText(value, templates), templates).replaceAll(/<([^>]+)>/g, (_, name: string) =>
        name.replaceAll(/\W/g, '-'),
      ),
    ]),
  );
}

/** A parameter of the other stack is looked up by CloudFormation, and is what that stack put there. */
function lookUp(text: string, templates: Templates): string {
  return text.replaceAll(/\{\{resolve:ssm:<(\w+)>\}\}/g, (_, id: string) =>
    renderText(templates.data.Resources[id]?.Properties.Value, templates),
  );
}

function usesFiles({ files: { inputs = [], results = [] } }: Declared): boolean {
  return [...inputs, ...results].length > 0;
}

function schemasOf(declared: Declared) {
  return [
    ...(declared.verifiesTokens ? [IdentityEnvironment, CallerEnvironment] : []),
    ...(declared.tableUses.length > 0 ? [TableEnvironment] : []),
    ...(usesFiles(declared) ? [FilesEnvironment] : []),
    ...(declared.publishes ? [EventsEnvironment] : []),
    ...(declared.readsSecrets ? [SecretsEnvironment] : []),
    ...(declared.signsCursors ? [PagingEnvironment] : []),
    ...(declared.checksPasses ? [PassEnvironment] : []),
    ...(declared.handsOver ? [HandOverEnvironment] : []),
  ];
}
