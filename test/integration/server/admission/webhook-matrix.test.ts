import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../../support/api-client.ts';
import { establish, openVersion, widgetDefinition } from '../../../support/definitions.ts';
import {
  type DiscoveredResource,
  discoverResources,
  pathOfVersion,
} from '../../../support/discovered-resources.ts';
import { eventually } from '../../../support/eventually.ts';
import { loadExamples } from '../../../support/example-objects.ts';
import { pod } from '../../../support/objects.ts';
import { table } from '../../../support/registry.ts';
import { startTestServer, type TestServer, tokens } from '../../../support/test-server.ts';
import {
  configurationsPath,
  type ReviewRequest,
  requestOf,
  reviewAnswer,
  webhookConfiguration,
} from '../../../support/webhook-configurations.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const namespace = 'default';
const custom = 'matrix.example.com';
const kinds = ['Mutating', 'Validating'] as const;
const reviewVersions = ['v1', 'v1beta1'] as const;

/** Requests for webhook configurations are not told to webhooks; definitions and registrations have names of their own. */
const isConfiguration = ({ group }: DiscoveredResource): boolean =>
  group.startsWith('admissionregistration.');
const namesItself = new Set(['APIService', 'CustomResourceDefinition', 'StorageVersion']);

const keyOf = ({
  group,
  version,
  resource,
}: Omit<DiscoveredResource, 'isNamespaced' | 'kind' | 'verbs' | 'subresources'>): string =>
  `${group}/${version}/${resource}`;
const apiVersionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;

/** What webhooks are to be told of a request. */
interface Told {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly subresource?: string;
  readonly name: string;
  /** Whether there is an object, and an old one. */
  readonly objects: readonly [object: boolean, oldObject: boolean];
  /** Kind of the objects; that of the resource when left out. */
  readonly kind?: ReviewRequest['kind'] | undefined;
}

/** Options of connections have no names, and tokens are asked for without one. */
const nameless = new Set([
  'TokenRequest',
  ...['Exec', 'Attach', 'PortForward', 'Proxy'].map((way) => `Pod${way}Options`),
])
  .add('ServiceProxyOptions')
  .add('NodeProxyOptions');

const atOnce = 'gracePeriodSeconds=0&propagationPolicy=Background';
/** The last condition that the server itself writes of objects of a kind. */
const conditionsOfServer: Readonly<Record<string, string>> = {
  APIService: 'Available',
  CustomResourceDefinition: 'Established',
  FlowSchema: 'Dangling',
};

const both: Told['objects'] = [true, true];
const onlyNew: Told['objects'] = [true, false];
const onlyOld: Told['objects'] = [false, true];

const inVersion = (version: string) => ({
  group: custom,
  version,
  resource: 'widgets',
  verbs: ['update', 'deletecollection'],
});
const customs = ['v1', 'v2'].map(inVersion);

interface Creation {
  readonly body: JsonObject;
  /** Object whose subresource it is. */
  readonly objectName?: string;
  /** What must be there. */
  readonly prepare?: readonly { readonly path: string; readonly body: JsonObject }[];
}
const podNamed = (name: string) => ({ path: 'pods', body: pod(name) });
const spec = { nonResourceAttributes: { path: '/', verb: 'get' } };
const local = { resourceAttributes: { namespace, verb: 'get', resource: 'pods' }, user: 'alice' };

/** What can only be created, by group, version, resource and subresource. */
const creations: Readonly<Record<string, Creation>> = {
  '/v1/bindings': {
    body: { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n' } },
    objectName: 'bound',
    prepare: [podNamed('bound')],
  },
  '/v1/pods/binding': {
    body: { metadata: { name: 'bound-too' }, target: { kind: 'Node', name: 'n' } },
    objectName: 'bound-too',
    prepare: [podNamed('bound-too')],
  },
  '/v1/pods/eviction': {
    body: { metadata: { name: 'evicted' } },
    objectName: 'evicted',
    prepare: [podNamed('evicted')],
  },
  '/v1/serviceaccounts/token': {
    body: { spec: {} },
    objectName: 'bearer',
    prepare: [{ path: 'serviceaccounts', body: { metadata: { name: 'bearer' } } }],
  },
  ...Object.fromEntries(
    ['v1', 'v1beta1'].flatMap((version) => [
      [`authentication.orch.io/${version}/tokenreviews`, { body: { spec: { token: 'x' } } }],
      [`authorization.orch.io/${version}/selfsubjectaccessreviews`, { body: { spec } }],
      [
        `authorization.orch.io/${version}/subjectaccessreviews`,
        { body: { spec: { ...spec, user: 'alice' } } },
      ],
      [`authorization.orch.io/${version}/selfsubjectrulesreviews`, { body: { spec: { namespace } } }],
      [
        `authorization.orch.io/${version}/localsubjectaccessreviews`,
        { body: { metadata: { namespace }, spec: local } },
      ],
    ]),
  ),
};

const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const streamed = ['GET', 'POST'];
/** What can be connected to, and the kind of the options that webhooks are told. */
const connections: Readonly<
  Record<string, { readonly methods: readonly string[]; readonly kind: string; readonly query?: string }>
> = {
  'pods/exec': { methods: streamed, kind: 'PodExecOptions', query: '?command=ls' },
  'pods/attach': { methods: streamed, kind: 'PodAttachOptions' },
  'pods/portforward': { methods: streamed, kind: 'PodPortForwardOptions' },
  'pods/proxy': { methods: anyMethod, kind: 'PodProxyOptions' },
  'services/proxy': { methods: anyMethod, kind: 'ServiceProxyOptions' },
  'nodes/proxy': { methods: anyMethod, kind: 'NodeProxyOptions' },
};

describe('what webhooks are told of every resource', () => {
  let server: TestServer;
  let hooks: WebhookServer;
  let user: ApiClient;
  let examples: ReadonlyMap<string, JsonObject>;
  const resources = new Map<string, DiscoveredResource>();
  const families = new Map<string, readonly DiscoveredResource[]>();

  before(async () => {
    server = await startTestServer({
      flags: [
        '--runtime-config=api/all=true',
        '--allow-privileged=true',
        // Nothing holds back what is deleted.
        '--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection',
      ],
    });
    user = server.withToken(tokens.admin);
    examples = await loadExamples();
    hooks = await WebhookServer.start((call, response) =>
      response.end(reviewAnswer(call, { allowed: true })),
    );
    const versions = ['v1', 'v2'].map((name) =>
      openVersion(name, {
        storage: name === 'v1',
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      }),
    );
    await establish(server.admin, widgetDefinition(custom, { versions }));
    for (const one of await discoverResources(user)) resources.set(keyOf(one), one);
    settleFamilies();
    await configure();
  });
  after(async () => {
    await server.stop();
    await hooks[Symbol.asyncDispose]();
  });

  /** Resources whose objects are the same, in other versions and groups. */
  function settleFamilies(): void {
    const prefixOf = new Map(
      table.resources.map(({ group, version, resource, storePrefix }) => [
        `${group}/${version}/${resource}`,
        storePrefix ?? `${group}/${resource}`,
      ]),
    );
    const byPrefix = Map.groupBy(
      resources.values(),
      (one) => prefixOf.get(keyOf(one)) ?? `${one.group}/${one.resource}`,
    );
    for (const family of byPrefix.values()) for (const one of family) families.set(keyOf(one), family);
  }

  /** Webhooks for exactly what is asked for, and for each version of each resource those that want it in that version. */
  async function configure(): Promise<void> {
    const all = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    const exact = { rules: all, matchPolicy: 'Exact' };
    const equivalents = [...resources.values()]
      .filter((one) => !isConfiguration(one))
      .map((one, at) => ({
        name: `equivalent${at}.example.com`,
        path: `/equivalent/${keyOf(one)}`,
        matchPolicy: 'Equivalent',
        rules: [
          {
            operations: ['*'],
            apiGroups: [one.group],
            apiVersions: [one.version],
            resources: [one.resource, `${one.resource}/*`],
          },
        ],
      }));
    for (const kind of kinds) {
      for (const version of reviewVersions) {
        const webhooks = [
          { ...exact, path: `/exact/${version}` },
          ...(version === 'v1' ? equivalents : []),
        ].map((webhook) => ({
          ...webhook,
          path: `/${kind}${webhook.path}`,
          admissionReviewVersions: [version],
        }));
        const configuration = webhookConfiguration({ kind, version, name: version }, hooks, webhooks);
        await server.admin.create(configurationsPath(kind, version), configuration);
      }
    }
  }

  /** Sends a request, and checks all that webhooks were told of it. */
  async function tell(
    one: DiscoveredResource,
    told: Told,
    method: string,
    path: string,
    request: { readonly body?: unknown; readonly contentType?: string } = {},
  ): Promise<JsonObject> {
    hooks.calls.length = 0;
    const { code, body, text } = await user.send(method, path, request);
    // Nobody is there to connect to, which webhooks are not told.
    if (told.operation !== 'CONNECT') expect(code, `${method} ${path}: ${text}`).to.be.below(300);
    const seen = new Map<string, ReviewRequest[]>();
    for (const call of hooks.calls) {
      const review = requestOf(call);
      // The server writes conditions of its own meanwhile.
      if (review.userInfo.username !== 'admin') continue;
      const [url = ''] = call.url.split('?');
      const { apiVersion, kind } = JSON.parse(call.body);
      const version = url.endsWith('/exact/v1beta1') ? 'v1beta1' : 'v1';
      expect([apiVersion, kind]).to.deep.equal([`admission.orch.io/${version}`, 'AdmissionReview']);
      seen.set(url, [...(seen.get(url) ?? []), review]);
    }
    const family = families.get(keyOf(one)) ?? [];
    const paths = kinds.flatMap((kind) => [
      ...reviewVersions.map((version) => [`/${kind}/exact/${version}`, one] as const),
      ...family.map((each) => [`/${kind}/equivalent/${keyOf(each)}`, each] as const),
    ]);
    expect([...seen.keys()].sort(), `${method} ${path}`).to.deep.equal(paths.map(([url]) => url).sort());
    for (const [url, matched] of paths)
      for (const review of seen.get(url) ?? [])
        expectTold(review, { one, matched, told, what: `${method} ${path} ${url}` });
    return body;
  }

  function expectTold(
    review: ReviewRequest,
    {
      one,
      matched,
      told: { operation, subresource = '', name, objects, kind },
      what,
    }: {
      readonly one: DiscoveredResource;
      readonly matched: DiscoveredResource;
      readonly told: Told;
      readonly what: string;
    },
  ): void {
    const placeOf = ({ group, version, resource }: DiscoveredResource) => ({ group, version, resource });
    const isNamespace = one.resource === 'namespaces' && one.group === '';
    const shownKind = kind ?? matched.kind;
    const options = {
      CREATE: 'CreateOptions',
      UPDATE: 'UpdateOptions',
      DELETE: 'DeleteOptions',
      CONNECT: undefined,
    };
    const optionsKind = options[operation];
    expect(
      {
        operation: review.operation,
        kind: review.kind,
        requestKind: review.requestKind,
        resource: review.resource,
        requestResource: review.requestResource,
        subResource: review.subResource ?? '',
        requestSubResource: review.requestSubResource ?? '',
        name: review.name ?? '',
        namespace: review.namespace ?? '',
        user: [review.userInfo.username, review.userInfo.groups],
        dryRun: review.dryRun,
        options: review.options === null ? undefined : [review.options.apiVersion, review.options.kind],
      },
      what,
    ).to.deep.equal({
      operation,
      kind: shownKind,
      requestKind: kind ?? one.kind,
      resource: placeOf(matched),
      requestResource: placeOf(one),
      subResource: subresource,
      requestSubResource: subresource,
      name,
      namespace: isNamespace ? name : one.isNamespaced ? namespace : '',
      user: ['admin', ['system:masters', 'system:authenticated']],
      dryRun: false,
      options: optionsKind && ['meta.orch.io/v1', optionsKind],
    });
    for (const [at, object] of [review.object, review.oldObject].entries()) {
      const field = ['object', 'oldObject'][at];
      expect(object !== null, `${what}: ${field}`).to.equal(objects[at]);
      if (object === null) continue;
      expect([object.apiVersion, object.kind], `${what}: ${field}`).to.deep.equal([
        apiVersionOf(shownKind),
        shownKind.kind,
      ]);
      if (name !== '' && !nameless.has(shownKind.kind))
        expect(object.metadata.name, `${what}: ${field}`).to.equal(name);
    }
  }

  const collectionOf = (one: DiscoveredResource): string =>
    `${pathOfVersion(one)}${one.isNamespaced ? `/namespaces/${namespace}` : ''}/${one.resource}`;

  /** An object of a resource as a client creates it. */
  function exampleOf(one: DiscoveredResource, name: string): JsonObject {
    const apiVersion = apiVersionOf(one);
    const { metadata, ...body } = examples.get(`${apiVersion} ${one.kind.kind}`) ?? { spec: { replicas: 1 } };
    return {
      ...body,
      apiVersion,
      kind: one.kind.kind,
      metadata: { name: namesItself.has(one.kind.kind) ? metadata.name : name, labels: { matrix: 'x' } },
    };
  }

  async function writeAndDelete(one: DiscoveredResource): Promise<void> {
    const collection = collectionOf(one);
    const example = exampleOf(one, 'one');
    const { name } = example.metadata;
    const path = `${collection}/${name}`;
    const objects = { name, objects: both };
    await tell(one, { operation: 'CREATE', name, objects: onlyNew }, 'POST', collection, { body: example });
    const body = await settled(one, path);
    const changed = { ...body, metadata: { ...body.metadata, annotations: { a: 'b' } } };
    await tell(one, { operation: 'UPDATE', ...objects }, 'PUT', path, { body: changed });
    const patch = { body: { metadata: { annotations: { a: 'c' } } }, contentType: merge };
    await tell(one, { operation: 'UPDATE', ...objects }, 'PATCH', path, patch);
    const configuration = {
      apiVersion: apiVersionOf(one),
      kind: one.kind.kind,
      metadata: { name, annotations: { d: 'e' } },
    };
    const applied = { body: configuration, contentType: apply };
    await tell(one, { operation: 'UPDATE', ...objects }, 'PATCH', `${path}?fieldManager=m`, applied);
    for (const [subresource, { kind, verbs }] of one.subresources) {
      if (!verbs.includes('update') || subresource === 'proxy') continue;
      const told: Told = {
        operation: 'UPDATE',
        subresource,
        ...objects,
        kind: kind.kind === one.kind.kind ? undefined : kind,
      };
      const subpath = `${path}/${subresource}`;
      const { body: part } = verbs.includes('get') ? await user.get(subpath) : await user.get(path);
      await tell(one, told, 'PUT', subpath, { body: part });
      if (verbs.includes('patch'))
        await tell(one, told, 'PATCH', subpath, {
          body: { metadata: { annotations: { f: 'g' } } },
          contentType: merge,
        });
    }
    await tell(one, { operation: 'DELETE', name, objects: onlyOld }, 'DELETE', `${path}?${atOnce}`);
    // Namespaces are emptied by a controller, which does not run here.
    if (one.resource !== 'namespaces') await untilGone(path);
  }

  /** An object that the server has written all of its own conditions of. */
  const settled = (one: DiscoveredResource, path: string): Promise<JsonObject> =>
    eventually(async () => {
      const { body } = await user.get(path);
      const condition = conditionsOfServer[one.kind.kind];
      // Of a definition the server first says that it is not established yet.
      const isThere = body.status?.conditions?.some(
        ({ type, status }: JsonObject) => type === condition && (type !== 'Established' || status === 'True'),
      );
      return condition === undefined || isThere ? body : undefined;
    });
  const untilGone = (path: string): Promise<unknown> =>
    eventually(async () => ((await user.get(path)).code === 404 ? true : undefined));

  async function deleteCollection(one: DiscoveredResource): Promise<void> {
    const collection = collectionOf(one);
    const { metadata } = await user.create(collection, exampleOf(one, 'many'));
    const path = `${collection}/${metadata.name}`;
    await settled(one, path);
    const told: Told = { operation: 'DELETE', name: '', objects: onlyOld };
    await tell(one, told, 'DELETE', `${collection}?labelSelector=matrix%3Dx&${atOnce}`);
    await untilGone(path);
  }

  it('is tried with all that is served', () => {
    expect([...resources.keys()].sort()).to.deep.equal([...table.resources, ...customs].map(keyOf).sort());
  });

  for (const { verbs, ...one } of [...table.resources, ...customs]) {
    if (one.group.startsWith('admissionregistration.') || !verbs.includes('update')) continue;
    const served = (): DiscoveredResource => resources.get(keyOf(one)) ?? expect.fail('is not served');
    it(`when it is written and deleted: ${keyOf(one)}`, () => writeAndDelete(served()));
    if (verbs.includes('deletecollection'))
      it(`when it is deleted with others: ${keyOf(one)}`, () => deleteCollection(served()));
  }

  for (const [resource, { body, ...creation }] of Object.entries(creations)) {
    const [group = '', version = '', name = '', ...rest] = resource.split('/');
    it(`when it is asked for: ${resource}`, async () => {
      const one = resources.get(`${group}/${version}/${name}`) ?? expect.fail('is not served');
      const { objectName = '', prepare = [] } = creation;
      for (const object of prepare)
        await user.create(`/api/v1/namespaces/${namespace}/${object.path}`, object.body);
      const subresource = rest.join('/');
      const kind = subresource === '' ? undefined : one.subresources.get(subresource)?.kind;
      const path =
        subresource === '' ? collectionOf(one) : `${collectionOf(one)}/${objectName}/${subresource}`;
      const shown = kind ?? one.kind;
      const sent = { apiVersion: apiVersionOf(shown), kind: shown.kind, ...body };
      const told: Told = { operation: 'CREATE', subresource, name: objectName, objects: onlyNew, kind };
      await tell(one, told, 'POST', path, { body: sent });
    });
  }

  for (const [resource, { methods, kind, query = '' }] of Object.entries(connections)) {
    const [name = '', subresource = ''] = resource.split('/');
    for (const method of methods) {
      it(`when it is connected to: ${method} ${resource}`, async () => {
        const one = resources.get(`/v1/${name}`) ?? expect.fail('is not served');
        const object = `connected-${name}`;
        const example = name === 'pods' ? pod(object) : exampleOf(one, object);
        if ((await user.get(`${collectionOf(one)}/${object}`)).code === 404)
          await user.create(collectionOf(one), { ...example, metadata: { name: object } });
        const told: Told = {
          operation: 'CONNECT',
          subresource,
          name: object,
          objects: onlyNew,
          kind: { group: '', version: 'v1', kind },
        };
        await tell(one, told, method, `${collectionOf(one)}/${object}/${subresource}${query}`);
      });
    }
  }
});
