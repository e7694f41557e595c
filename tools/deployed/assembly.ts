import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { ResourceGap } from './gaps.ts';

const ResourceForm = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown())),
  DependsOn: v.optional(v.union([v.string(), v.array(v.string())])),
});

const TemplateForm = v.looseObject({ Resources: v.record(v.string(), ResourceForm) });

type Resource = v.InferOutput<typeof ResourceForm>;
type Template = v.InferOutput<typeof TemplateForm>;

export interface LeftOut {
  readonly gap: ResourceGap;
  readonly id: string;
  readonly resource: Resource;
}

/** Removes what the emulator cannot create, and every reference to it, from all templates. */
export function leaveOut(assembly: string, gaps: readonly ResourceGap[]): LeftOut[] {
  return templatesIn(assembly).flatMap((file) => {
    const template = readTemplate(file);
    const found = Object.entries(template.Resources).flatMap(([id, resource]) => {
      const gap = gaps.find((each) => each.matches(resource));
      return gap === undefined ? [] : [{ gap, id, resource }];
    });
    const ids = new Set(found.map(({ id }) => id));
    const kept = Object.entries(template.Resources).filter(([id]) => !ids.has(id));
    const Resources = Object.fromEntries(kept.map(([id, each]) => [id, freeOf(each, ids)]));
    const text = replaceReferences({ ...template, Resources }, (id) => ids.has(id));
    if (ids.size > 0) writeFileSync(file, text);
    return found;
  });
}

function freeOf(resource: Resource, gone: ReadonlySet<string>): Resource {
  const { DependsOn, ...rest } = resource;
  if (DependsOn === undefined) return rest;
  return { ...rest, DependsOn: [DependsOn].flat().filter((id) => !gone.has(id)) };
}

/** Returns a template with this resource alone, to see what the emulator says about it. */
export function templateOf({ id, resource: { Type, Properties } }: LeftOut): string {
  const notPseudo = (name: string) => !name.startsWith('AWS::');
  return replaceReferences({ Resources: { [id]: { Type, Properties } } }, notPseudo);
}

const placeholder = 'left-out';

function replaceReferences(value: object, isGone: (id: string) => boolean): string {
  const refers = (id: unknown) => typeof id === 'string' && isGone(id);
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    if ('Ref' in each && refers(each.Ref)) return placeholder;
    const attribute = 'Fn::GetAtt' in each ? each['Fn::GetAtt'] : undefined;
    return Array.isArray(attribute) && refers(attribute[0]) ? placeholder : each;
  });
}

export interface FunctionChange {
  readonly stack: string;
  readonly functionName: string;
  changeCode(code: string): string;
}

/**
 * Copies an assembly with another code for one function, as `cdk synth` would write it after a
 * change of the source. Returns the logical id of the function.
 */
export function changeFunction(
  [from, to]: readonly [from: string, to: string],
  { stack, functionName, changeCode }: FunctionChange,
): string {
  cpSync(from, to, { recursive: true });
  const [id, { Properties }] = findFunction(to, stack, functionName);
  const { S3Key } = v.parse(v.object({ S3Key: v.string() }), Properties?.Code);
  const old = S3Key.replace('.zip', '');
  const file = join(to, `asset.${old}`, 'index.js');
  const code = readFileSync(file, 'utf8');
  const changed = changeCode(code);
  if (changed === code) throw new Error(`The code of ${functionName} is as before.`);
  writeFileSync(file, changed);
  const asset = hash(changed);
  renameSync(join(to, `asset.${old}`), join(to, `asset.${asset}`));
  rewriteStack(to, stack, (text) => text.replaceAll(old, asset));
  return id;
}

/** Lets a function refer to code that does not exist. CloudFormation can only refuse that. */
export function breakFunction(assembly: string, stack: string, functionName: string): void {
  const [, { Properties }] = findFunction(assembly, stack, functionName);
  const { S3Key } = v.parse(v.object({ S3Key: v.string() }), Properties?.Code);
  const file = join(assembly, `${stack}.template.json`);
  const text = readFileSync(file, 'utf8').replace(S3Key, 'missing.zip');
  writeFileSync(file, text);
  rewriteStack(assembly, stack, (unchanged) => unchanged);
}

/** A template is an asset itself. Its name is the hash of its content, or it is not uploaded. */
function rewriteStack(assembly: string, stack: string, rewrite: (text: string) => string): void {
  const template = join(assembly, `${stack}.template.json`);
  const text = rewrite(readFileSync(template, 'utf8'));
  writeFileSync(template, text);
  const assets = join(assembly, `${stack}.assets.json`);
  writeFileSync(assets, rewrite(readFileSync(assets, 'utf8')));
  const manifest = readFileSync(join(assembly, 'manifest.json'), 'utf8');
  const { artifacts } = v.parse(ManifestForm, JSON.parse(manifest));
  const address = artifacts[stack]?.properties?.stackTemplateAssetObjectUrl ?? '';
  const [, old = ''] = /([0-9a-f]{64})\.json$/.exec(address) ?? [];
  if (old === '') throw new Error(`${stack} has no template in the manifest.`);
  for (const file of [join(assembly, 'manifest.json'), assets]) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(old, hash(text)));
  }
}

const ManifestForm = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      properties: v.optional(v.object({ stackTemplateAssetObjectUrl: v.optional(v.string()) })),
    }),
  ),
});

function findFunction(assembly: string, stack: string, name: string): [string, Resource] {
  const { Resources } = readTemplate(join(assembly, `${stack}.template.json`));
  const found = Object.entries(Resources).find(
    ([, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' && Properties?.FunctionName === name,
  );
  if (found === undefined) throw new Error(`${stack} has no function ${name}.`);
  return found;
}

function templatesIn(assembly: string): string[] {
  return readdirSync(assembly)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => join(assembly, file));
}

function readTemplate(file: string): Template {
  return v.parse(TemplateForm, JSON.parse(readFileSync(file, 'utf8')));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
