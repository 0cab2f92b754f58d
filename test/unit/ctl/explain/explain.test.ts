import { expect } from 'chai';
import { FakeApi } from '../support/fake-api.ts';
import { run } from '../support/run.ts';

const ref = (name: string, description: string) => ({ description, $ref: `#/definitions/${name}` });
const identity = (kind: string, group = '', version = 'v1') => ({
  'x-orch-group-version-kind': [{ group, kind, version }],
});
const definitions = {
  'core.Pod': {
    description: 'Runs things.',
    type: 'object',
    properties: {
      kind: { type: 'string', description: 'What it is.' },
      spec: ref('core.PodSpec', 'Wanted.'),
    },
    ...identity('Pod'),
  },
  'core.PodSpec': {
    description: 'What to run, in words enough that the text does not fit into one line of eighty columns.',
    type: 'object',
    required: ['parts'],
    properties: {
      parts: { description: 'Parts.', type: 'array', items: { $ref: '#/definitions/core.PodSpec' } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      raw: { description: 'Anything.', type: 'object' },
      silent: { $ref: '#/definitions/core.Text' },
    },
  },
  'core.Text': { description: 'A text.\n\nOf\n3 things.\n\nAnd more.', type: 'string' },
  'apps.Deployment': {
    type: 'object',
    properties: { kind: { type: 'string' } },
    ...identity('Deployment', 'apps'),
  },
};

describe('ctl explain', () => {
  let api: FakeApi;
  beforeEach(async () => {
    api = await FakeApi.start({ 'GET /openapi/v2': { body: { swagger: '2.0', definitions } } });
  });
  afterEach(() => api.stop());
  const explain = (...args: string[]) => run(['explain', ...args, '-s', api.url]);

  const shown: Record<string, [args: string[], out: string]> = {
    'a kind': [
      ['po'],
      'KIND:     Pod\nVERSION:  v1\n\nDESCRIPTION:\n     Runs things.\n\nFIELDS:\n   kind\t<string>\n     What it is.\n\n   spec\t<Object>\n     Wanted.\n\n',
    ],
    'a field with fields': [
      ['pods.spec.parts'],
      'KIND:     Pod\nVERSION:  v1\n\nRESOURCE: parts <[]Object>\n\nDESCRIPTION:\n     Parts.\n\n     What to run, in words enough that the text does not fit into one line of\n     eighty columns.\n\nFIELDS:\n   labels\t<map[string]string>\n\n   parts\t<[]Object> -required-\n     Parts.\n\n   raw\t<map[string]>\n     Anything.\n\n   silent\t<string>\n\n',
    ],
    'a field of which nothing is said but what it is made of': [
      ['pods.spec.silent'],
      'KIND:     Pod\nVERSION:  v1\n\nFIELD:    silent <string>\n\nDESCRIPTION:\n\n     A text.\n     Of\n     3 things.\n\n     And more.\n',
    ],
    'a field with a value': [
      ['pods.spec.labels'],
      'KIND:     Pod\nVERSION:  v1\n\nFIELD:    labels <map[string]string>\n\nDESCRIPTION:\n     <empty>\n',
    ],
    'a field with any value': [
      ['pods.spec.raw'],
      'KIND:     Pod\nVERSION:  v1\n\nDESCRIPTION:\n     Anything.\n\n     Anything.\n',
    ],
    'fields of fields, each type once': [
      ['pods', '--recursive'],
      'KIND:     Pod\nVERSION:  v1\n\nDESCRIPTION:\n     Runs things.\n\nFIELDS:\n   kind\t<string>\n   spec\t<Object>\n      labels\t<map[string]string>\n      parts\t<[]Object>\n      raw\t<map[string]>\n      silent\t<string>\n',
    ],
    'a version': [
      ['deploy', '--api-version=apps/v1'],
      'KIND:     Deployment\nVERSION:  apps/v1\n\nDESCRIPTION:\n     <empty>\n\nFIELDS:\n   kind\t<string>\n\n',
    ],
  };
  for (const [what, [args, out]] of Object.entries(shown)) {
    it(`shows ${what}`, async () => {
      expect(await explain(...args)).to.deep.equal({ code: 0, out, err: '' });
    });
  }

  const refused: Record<string, [args: string[], err: string]> = {
    'no type': [
      [],
      'error: You must specify the type of resource to explain. Use "ctl api-resources" for a complete list of supported resources.\n',
    ],
    'several types': [['pods', 'services'], 'error: We accept only this format: explain RESOURCE\n'],
    'a type that is not there': [['bogus.x'], 'the server doesn\'t have a resource type "bogus"\n'],
    'a field that is not there': [['pods.spec.nope'], 'error: field "nope" does not exist\n'],
    'a name that all objects inherit': [['pods.toString'], 'error: field "toString" does not exist\n'],
    'a kind without a schema': [['cm'], 'error: couldn\'t find resource for "/v1, Kind=ConfigMap"\n'],
  };
  for (const [what, [args, err]] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      expect(await explain(...args)).to.deep.equal({ code: 1, out: '', err });
    });
  }
});
