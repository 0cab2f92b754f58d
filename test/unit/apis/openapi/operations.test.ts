import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { kindRules } from '../../../../src/apis/index.ts';
import { createResourceTable, type ServedResource } from '../../../../src/apis/resources/index.ts';
import { createDialect, type Dialect } from '../../../../src/machinery/dialect.ts';
import { type Json, makeDocument } from './support.ts';

/** Operation id, tag, answer of status 200, body, and which list of query parameters. */
type Facts = readonly [id: string, tag: string, answer: string, body: '' | 'body' | 'body!', query: number];
const facts: {
  readonly queries: readonly string[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Facts>>>>;
} = JSON.parse(readFileSync(join(import.meta.dirname, 'operations.json'), 'utf8'));

/** Everything that release 1.20 can serve but what has a gate. */
function makeFullDocument(name: Dialect['name']): Json {
  const dialect = createDialect(name);
  const returnsDeleted = ({ storage }: ServedResource): boolean => {
    if (storage === undefined) return false;
    const rules = kindRules[dialect.unspell(keyOf(storage))];
    return rules?.answersDeletion === 'object' || rules?.gracePeriodSeconds !== undefined;
  };
  const table = createResourceTable({ dialect, runtimeConfig: { 'api/all': 'true' } });
  return makeDocument(name, { table, returnsDeleted });
}

const keyOf = ({ group, version, kind }: { group: string; version: string; kind: string }): string =>
  `${group === '' ? '' : `${group}/`}${version}.${kind}`;

/** What the document says of one operation, in the form of the facts. */
function toFacts(item: Json, method: string): Facts {
  const { operationId, tags, parameters = [], responses } = item[method];
  const all: Json[] = [...(item.parameters ?? []), ...parameters];
  const body = all.find((parameter) => parameter.in === 'body');
  const query = all.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const schema = responses['200']?.schema;
  const answer = schema?.$ref?.split('.').slice(-2).join('.') ?? schema?.type ?? '';
  const bodyFact = body === undefined ? '' : body.required === true ? 'body!' : 'body';
  return [operationId, tags.join(), answer, bodyFact, facts.queries.indexOf(query.sort().join(' '))];
}

const methodsOf = (item: Json): string[] => Object.keys(item).filter((name) => name !== 'parameters');

for (const name of ['orch', 'kubernetes'] as const) {
  describe(`operations in the ${name} dialect`, () => {
    const dialect = createDialect(name);
    const spell = (path: string) => path.replace(/(?<=^\/apis\/)[^/]+/, (group) => dialect.spell(group));
    const document = makeFullDocument(name);
    const paths: [path: string, item: Json][] = Object.entries(document.paths);

    it('are those of the release', () => {
      const found = paths
        .filter(([path]) => !path.includes('/watch/'))
        .flatMap(([path, item]) => methodsOf(item).map((method) => `${method} ${path}`));
      const known = Object.entries(facts.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method} ${spell(path)}`),
      );
      expect(found.sort()).to.deep.equal(known.sort());
      expect(found.length).to.equal(862);
    });

    it('have its names, tags, answers, bodies and query parameters', () => {
      for (const [path, item] of Object.entries(facts.paths)) {
        for (const [method, known] of Object.entries(item))
          expect(toFacts(document.paths[spell(path)], method), `${method} ${path}`).to.deep.equal(known);
      }
    });

    it('are watches where lists can be watched, named after them', () => {
      const lists = paths.filter(([, { get }]) => get?.description?.startsWith('list or watch objects'));
      expect(lists.length).to.be.greaterThan(100);
      for (const [path, { get }] of lists) {
        const watched = path.replace(/^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\//, '$1/watch/');
        const { operationId, tags, responses } = document.paths[watched].get;
        const known = get.operationId.replace(/^list/, 'watch').replace(/(ForAllNamespaces)?$/, 'List$1');
        expect([operationId, tags], watched).to.deep.equal([known, get.tags]);
        expect(responses['200'].schema.$ref).to.match(/\.meta\.v1\.WatchEvent$/);
      }
    });

    it('answer 401 to strangers, and say what comes of writes', () => {
      const codes: Readonly<Record<string, string[]>> = {
        post: ['200', '201', '202', '401'],
        put: ['200', '201', '401'],
        patch: ['200', '401'],
        delete: ['200', '202', '401'],
        deletecollection: ['200', '401'],
      };
      for (const [path, item] of paths) {
        for (const method of methodsOf(item)) {
          const { [`x-${name}-action`]: action, responses } = item[method];
          const known = codes[action] ?? (path.startsWith('/logs') ? ['401'] : ['200', '401']);
          expect(Object.keys(responses), `${method} ${path}`).to.deep.equal(known);
        }
      }
    });

    it('have parameters in order of their names', () => {
      for (const [path, item] of paths) {
        for (const { parameters = [] } of [item, ...methodsOf(item).map((method) => item[method])]) {
          const keys = parameters.map((parameter: Json) => `${parameter.name} ${parameter.in}`);
          expect(keys, path).to.deep.equal([...keys].sort());
        }
      }
    });
  });
}

describe('descriptions of operations', () => {
  const { paths } = makeFullDocument('orch');
  for (const [path, method, text] of [
    ['/api/v1/pods', 'get', 'list or watch objects of kind Pod'],
    ['/api/v1/componentstatuses', 'get', 'list objects of kind ComponentStatus'],
    ['/api/v1/nodes/{name}', 'get', 'read the specified Node'],
    ['/api/v1/nodes/{name}/status', 'put', 'replace status of the specified Node'],
    ['/api/v1/nodes/{name}/status', 'patch', 'partially update status of the specified Node'],
    ['/api/v1/namespaces/{namespace}/endpoints', 'post', 'create Endpoints'],
    ['/apis/networking.orch.io/v1/namespaces/{namespace}/ingresses', 'post', 'create an Ingress'],
    ['/api/v1/namespaces/{namespace}/pods/{name}/eviction', 'post', 'create eviction of a Pod'],
    ['/apis/networking.orch.io/v1/ingressclasses/{name}', 'delete', 'delete an IngressClass'],
    ['/api/v1/nodes', 'delete', 'delete collection of Node'],
    ['/api/v1/namespaces/{namespace}/pods/{name}/exec', 'post', 'connect POST requests to exec of Pod'],
    ['/api/v1/namespaces/{namespace}/pods/{name}/log', 'get', 'read log of the specified Pod'],
    [
      '/api/v1/watch/pods',
      'get',
      "watch individual changes to a list of Pod. deprecated: use the 'watch' parameter with a list operation instead.",
    ],
    [
      '/api/v1/watch/nodes/{name}',
      'get',
      "watch changes to an object of kind Node. deprecated: use the 'watch' parameter with a list operation instead, filtered to a single item with the 'fieldSelector' parameter.",
    ],
  ] as const) {
    it(`say of ${method} ${path}: ${text}`, () => {
      expect(paths[path][method].description).to.equal(text);
    });
  }

  it('say of parameters what clients look for', () => {
    const { parameters } = paths['/api/v1/pods'];
    const texts = Object.fromEntries(parameters.map(({ name, description }: Json) => [name, description]));
    expect(texts.pretty).to.equal("If 'true', then the output is pretty printed.");
    expect(texts.watch).to.match(/^Watch for changes to the described resources and return them as a stream/);
    expect(texts.limit).to.match(/^limit is a maximum number of responses to return for a list call\./);
    const { patch } = paths['/api/v1/nodes/{name}'];
    const ofPatch = Object.fromEntries(
      patch.parameters.map(({ name, description }: Json) => [name, description]),
    );
    expect(ofPatch.dryRun).to.match(/^When present, indicates that modifications should not be persisted/);
    expect(ofPatch.fieldManager).to.match(/^fieldManager is a name associated with the actor or entity/);
  });
});
