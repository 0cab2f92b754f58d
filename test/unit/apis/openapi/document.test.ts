import { expect } from 'chai';
import { type Json, makeDocument } from './support.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
/** All operations with their paths and parameters, those of the path included. */
function operationsOf(
  document: Json,
): { path: string; method: string; operation: Json; parameters: Json[] }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => ({
        path,
        method,
        operation: item[method],
        parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])],
      })),
  );
}

describe('createOpenApiDocument', () => {
  const document = makeDocument('orch');
  const { definitions, paths } = document;
  const operations = operationsOf(document);

  it('has a definition for each reference', () => {
    const references = new Set(JSON.stringify(document).match(/"#\/definitions\/[^"]+"/g));
    const missing = [...references].filter((text) => !Object.hasOwn(definitions, text.slice(15, -1)));
    expect(references.size).to.be.greaterThan(400);
    expect(missing).to.deep.equal([]);
  });

  it('is sorted, and names each operation once', () => {
    for (const map of [paths, definitions]) expect(Object.keys(map)).to.deep.equal(Object.keys(map).sort());
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('declares all parts of paths, and no parameter twice', () => {
    for (const { path, parameters } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.sort(), path).to.deep.equal(named.sort());
      const keys = parameters.map(({ name, in: where }) => `${where} ${name}`);
      expect(new Set(keys).size, path).to.equal(keys.length);
    }
  });

  it('says what lists are lists of', () => {
    const itemsOf = (list: string) => definitions[`io.orch.api.${list}`].properties.items.description;
    expect(
      ['core.v1.ServiceList', 'networking.v1.NetworkPolicyList', 'core.v1.EndpointsList'].map(itemsOf),
    ).to.deep.equal(['List of services.', 'List of network policies.', 'List of endpoints.']);
    expect(['storage.v1.StorageClassList', 'storage.v1.CSINodeList'].map(itemsOf)).to.deep.equal([
      'List of storage classes.',
      'List of CSI nodes.',
    ]);
  });

  it('says how values of fields are merged', () => {
    const { ports } = definitions['io.orch.api.core.v1.Container'].properties;
    expect(ports).to.deep.equal({
      description: ports.description,
      type: 'array',
      items: { $ref: '#/definitions/io.orch.api.core.v1.ContainerPort' },
      'x-orch-list-map-keys': ['containerPort', 'protocol'],
      'x-orch-list-type': 'map',
      'x-orch-patch-merge-key': 'containerPort',
      'x-orch-patch-strategy': 'merge',
    });
    const { volumes } = definitions['io.orch.api.core.v1.PodSpec'].properties;
    expect(volumes['x-orch-patch-strategy']).to.equal('merge,retainKeys');
    const selector = definitions['io.orch.apimachinery.pkg.apis.meta.v1.LabelSelector'];
    expect(selector['x-orch-map-type']).to.equal('atomic');
  });

  it('says which kinds definitions are of', () => {
    const name = 'x-orch-group-version-kind';
    expect(definitions['io.orch.api.apps.v1.Deployment'][name]).to.deep.equal([
      { group: 'apps', kind: 'Deployment', version: 'v1' },
    ]);
    expect(definitions['io.orch.api.core.v1.PodSpec']).not.to.have.property(name);
    const options = definitions['io.orch.apimachinery.pkg.apis.meta.v1.DeleteOptions'][name];
    expect(options[0]).to.deep.equal({ group: '', kind: 'DeleteOptions', version: 'v1' });
    expect(options.length).to.be.greaterThan(30);
  });

  for (const [name, schema] of [
    ['pkg.util.intstr.IntOrString', { type: 'string', format: 'int-or-string' }],
    ['pkg.api.resource.Quantity', { type: 'string' }],
    ['pkg.apis.meta.v1.Time', { type: 'string', format: 'date-time' }],
    ['pkg.runtime.RawExtension', { type: 'object' }],
  ] as const) {
    it(`gives ${name} its own form`, () => {
      const { description, ...form } = definitions[`io.orch.apimachinery.${name}`];
      expect(description).to.be.a('string');
      expect(form).to.deep.equal(schema);
    });
  }

  it('names operations as the reference does', () => {
    const known: Record<string, [path: string, method: string, action: string]> = {
      listCoreV1PodForAllNamespaces: ['/api/v1/pods', 'get', 'list'],
      createCoreV1NamespacedPod: ['/api/v1/namespaces/{namespace}/pods', 'post', 'post'],
      deleteCoreV1CollectionNamespacedPod: [
        '/api/v1/namespaces/{namespace}/pods',
        'delete',
        'deletecollection',
      ],
      readCoreV1Node: ['/api/v1/nodes/{name}', 'get', 'get'],
      patchAppsV1NamespacedDeploymentScale: [
        '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale',
        'patch',
        'patch',
      ],
      connectCoreV1PostNamespacedPodExec: [
        '/api/v1/namespaces/{namespace}/pods/{name}/exec',
        'post',
        'connect',
      ],
      connectCoreV1HeadNodeProxyWithPath: ['/api/v1/nodes/{name}/proxy/{path}', 'head', 'connect'],
      watchRbacAuthorizationV1NamespacedRoleList: [
        '/apis/rbac.authorization.orch.io/v1/watch/namespaces/{namespace}/roles',
        'get',
        'watchlist',
      ],
      replaceFlowcontrolApiserverV1beta1FlowSchemaStatus: [
        '/apis/flowcontrol.apiserver.orch.io/v1beta1/flowschemas/{name}/status',
        'put',
        'put',
      ],
    };
    for (const [name, [path, method, action]] of Object.entries(known)) {
      const operation = paths[path]?.[method];
      expect(operation?.operationId, path).to.equal(name);
      expect(operation['x-orch-action'], name).to.equal(action);
    }
  });

  it('lets clients see that patches can be tried only, of the kind of a subresource too', () => {
    const { patch } = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale'];
    expect(patch['x-orch-group-version-kind']).to.deep.equal({
      group: 'autoscaling',
      kind: 'Scale',
      version: 'v1',
    });
    expect(patch.parameters.map(({ name }: Json) => name)).to.deep.equal([
      'body',
      'dryRun',
      'fieldManager',
      'force',
    ]);
  });

  it("tells of the issuer's documents where they are served", () => {
    const issuer = ['/.well-known/openid-configuration/', '/openid/v1/jwks/'];
    expect(paths).to.include.keys(...issuer);
    expect(makeDocument('orch', { hasIssuer: false }).paths).not.to.have.any.keys(...issuer);
  });

  it('answers deletions with what the server does', () => {
    const answers = (returnsDeleted: boolean) =>
      makeDocument('orch', { returnsDeleted: () => returnsDeleted }).paths['/api/v1/nodes/{name}'].delete
        .responses['200'].schema.$ref;
    expect(answers(false)).to.match(/meta\.v1\.Status$/);
    expect(answers(true)).to.match(/core\.v1\.Node$/);
  });

  it('is spelled by the dialect throughout', () => {
    const other = makeDocument('kubernetes');
    expect(Object.keys(other.definitions)).to.include(
      'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
    );
    expect(JSON.stringify(other)).not.to.match(/orch|nodeagent/i);
    expect(JSON.stringify(document)).not.to.match(/kube|k8s/i);
    expect(Object.keys(other.paths).length).to.equal(Object.keys(paths).length);
  });
});

describe('descriptions', () => {
  const { definitions } = makeDocument('orch');

  it('tell of every kind and field, in one form', () => {
    const told = Object.entries<Json>(definitions).flatMap(([name, { description, properties = {} }]) => [
      [name, description],
      // Of the version the release says nothing either.
      ...(name.endsWith('.version.Info') ? [] : Object.entries<Json>(properties)).map(([field, schema]) => [
        `${name}.${field}`,
        schema.description,
      ]),
    ]);
    expect(told.length).to.be.greaterThan(3000);
    for (const [place, description] of told) {
      expect(description, place).to.match(/^[A-Z`*].*[.]$/);
      // The release's client takes a percent sign for a placeholder.
      expect(description, place).not.to.include('%');
    }
  });

  it('name the values of closed enums', () => {
    const { restartPolicy } = definitions['io.orch.api.core.v1.PodSpec'].properties;
    expect(restartPolicy.description).to.match(/ One of: Always, OnFailure, Never\.$/);
  });

  it('of one version serve the others of its group', () => {
    const [first, second] = ['v1', 'v1beta1'].map(
      (version) => definitions[`io.orch.api.networking.${version}.IngressTLS`].properties.hosts.description,
    );
    expect(first).to.be.a('string');
    expect(second).to.equal(first);
  });
});
