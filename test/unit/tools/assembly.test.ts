import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breakFunction, changeFunction, leaveOut, templateOf } from '#tools/deployed/assembly.ts';
import { resourceGaps } from '#tools/deployed/gaps.ts';

const code = 'a'.repeat(64);
const template = 'b'.repeat(64);

const alarm = (Properties: object) => ({ Type: 'AWS::CloudWatch::Alarm', Properties });
const lambda = (FunctionName: string, S3Key: string) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { FunctionName, Code: { S3Key } },
});

let directory: string;
let assembly: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-assembly-'));
  assembly = join(directory, 'assembly');
  mkdirSync(join(assembly, `asset.${code}`), { recursive: true });
  writeFileSync(join(assembly, `asset.${code}`, 'index.js'), 'answer("0.1.0+1234")');
  write('one.template.json', {
    Resources: {
      Plain: alarm({ MetricName: 'Errors' }),
      Sum: alarm({ Metrics: [{ Expression: 'a + b' }], AlarmActions: [{ Ref: 'Topic' }] }),
      Topic: { Type: 'AWS::SNS::Topic', DependsOn: ['Sum', 'Plain'] },
      Dashboard: {
        Type: 'AWS::CloudWatch::Dashboard',
        Properties: { Body: [{ 'Fn::GetAtt': ['Sum', 'Arn'] }, { Ref: 'Sum' }, { Ref: 'Plain' }] },
      },
      Status: lambda('read-status', `${code}.zip`),
      Other: lambda('withdraw-request', 'c.zip'),
    },
  });
  write('one.assets.json', { files: { [code]: {}, [template]: {} } });
  write('manifest.json', {
    artifacts: {
      one: { properties: { stackTemplateAssetObjectUrl: `s3://assets/${template}.json` } },
      tree: {},
    },
  });
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(file: string, content: object): void {
  writeFileSync(join(assembly, file), JSON.stringify(content));
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
const readResources = (folder: string) => JSON.parse(read(folder, 'one.template.json')).Resources;

describe('a template without what the emulator cannot create', () => {
  it('has no trace of it', () => {
    const leftOut = leaveOut(assembly, resourceGaps);
    expect(leftOut.map(({ id, gap }) => [id, gap.name])).toEqual([
      ['Sum', 'alarms on more than one metric'],
    ]);
    const resources = readResources(assembly);
    expect(Object.keys(resources)).toEqual(['Plain', 'Topic', 'Dashboard', 'Status', 'Other']);
    expect(resources.Topic.DependsOn).toEqual(['Plain']);
    expect(resources.Dashboard.Properties.Body).toEqual(['left-out', 'left-out', { Ref: 'Plain' }]);
  });

  it('leaves a resource to be tried on its own', () => {
    const [first] = leaveOut(assembly, resourceGaps);
    expect(JSON.parse(templateOf(first!))).toEqual({
      Resources: {
        Sum: alarm({ Metrics: [{ Expression: 'a + b' }], AlarmActions: ['left-out'] }),
      },
    });
  });
});

describe('a changed function', () => {
  const change = {
    stack: 'one',
    functionName: 'read-status',
    changeCode: (text: string) => text.replace('1234', 'changed'),
  };

  it('has another bundle, and its template another name', () => {
    const changed = join(directory, 'changed');
    expect(changeFunction([assembly, changed], change)).toBe('Status');
    const { Status, Other } = readResources(changed);
    const asset = Status.Properties.Code.S3Key.replace('.zip', '');
    expect(asset).toMatch(/^[0-9a-f]{64}$/);
    expect(asset).not.toBe(code);
    expect(Other).toEqual(lambda('withdraw-request', 'c.zip'));
    expect(read(changed, `asset.${asset}/index.js`)).toBe('answer("0.1.0+changed")');
    expect(readdirSync(changed)).not.toContain(`asset.${code}`);
    const [url] = /[0-9a-f]{64}/.exec(read(changed, 'manifest.json')) ?? [];
    expect(url).not.toBe(template);
    expect(Object.keys(JSON.parse(read(changed, 'one.assets.json')).files)).toEqual([asset, url]);
  });

  it('must differ from the one before', () => {
    const changed = join(directory, 'changed');
    const same = { ...change, changeCode: (text: string) => text };
    expect(() => changeFunction([assembly, changed], same)).toThrow('is as before');
  });

  it('can refer to code that does not exist', () => {
    breakFunction(assembly, 'one', 'withdraw-request');
    expect(readResources(assembly).Other).toEqual(lambda('withdraw-request', 'missing.zip'));
    expect(read(assembly, 'manifest.json')).not.toContain(template);
  });
});
