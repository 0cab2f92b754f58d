import { expect } from 'chai';
import { createTypeCatalog } from '../../../src/apis/catalog.ts';
import { createKindFamilies, createObjectConverter } from '../../../src/apis/conversions/index.ts';
import { loadResources } from '../../../src/apis/resources/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { parseGroupVersion } from '../../../src/machinery/schema/index.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const pod = '{metadata: {labels: {a: b}}, spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}';
const rbac = 'rbac.authorization.orch.io';

/** A request for the common name `x`, PEM in base64. */
const signingRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QmVEQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCRm1UdW4yYm85WnJuaFRXd0ovOUtucHBTMEpzWWVFeDU5R1hMYThoMmtiZzc5ajM4dko0Z3ZLRy9YYkNIakJWCjNnZmJROVJkbXdPNkVNdWpWeVA5SzFpZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpQTh5bzZ4bmNGRFA1aWoKWHI0VnFzUUxMM1JxWVdRZ3FKMlAzaXA5Ynd4akFRSWhBTlZiWFRDYlB5QkIvTHQ3a1p2bmpneHcvM0UyeWlWSwowTDNhMGYxd2dxVkEKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';

/** One object of each stored kind that is served in several versions, in one of them. */
const manifests: readonly string[] = [
  `{apiVersion: batch/v2alpha1, kind: CronJob, metadata: {name: x}, spec: {schedule: "0 4 * * *", jobTemplate: {spec: {template: ${pod}}}}}`,
  `{apiVersion: autoscaling/v2beta2, kind: HorizontalPodAutoscaler, metadata: {name: x}, spec: {scaleTargetRef: {kind: Deployment, name: w}, maxReplicas: 3, metrics: [{type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: "5"}}}], behavior: {scaleDown: {selectPolicy: Disabled}}}}`,
  `{apiVersion: extensions/v1beta1, kind: Ingress, metadata: {name: x}, spec: {backend: {serviceName: s, servicePort: http}, rules: [{host: h.example.com, http: {paths: [{path: /, backend: {serviceName: s, servicePort: 80}}]}}]}}`,
  '{apiVersion: networking.orch.io/v1beta1, kind: IngressClass, metadata: {name: x}, spec: {controller: example.com/c}}',
  '{apiVersion: events.orch.io/v1beta1, kind: Event, metadata: {name: x, namespace: default}, eventTime: "2021-02-03T04:05:06.000007Z", reportingController: example.com/c, reportingInstance: i, action: Pull, reason: Pulled, type: Normal, regarding: {kind: Pod, namespace: default, name: p}, note: pulled}',
  '{apiVersion: apiregistration.orch.io/v1beta1, kind: APIService, metadata: {name: v1.metrics.example.com}, spec: {group: metrics.example.com, version: v1, groupPriorityMinimum: 100, versionPriority: 10, insecureSkipTLSVerify: true, service: {namespace: default, name: m}}}',
  '{apiVersion: certificates.orch.io/v1, kind: CertificateSigningRequest, metadata: {name: x}, spec: {signerName: example.com/s, usages: [client auth], request: REQUEST}}',
  `{apiVersion: ${rbac}/v1alpha1, kind: ClusterRoleBinding, metadata: {name: x}, roleRef: {apiGroup: rbac.authorization.orch.io, kind: ClusterRole, name: view}, subjects: [{kind: User, name: ada}, {kind: ServiceAccount, namespace: default, name: s}]}`,
  `{apiVersion: ${rbac}/v1beta1, kind: RoleBinding, metadata: {name: x}, roleRef: {apiGroup: rbac.authorization.orch.io, kind: Role, name: view}, subjects: [{kind: Group, name: staff}]}`,
  `{apiVersion: ${rbac}/v1alpha1, kind: Role, metadata: {name: x}, rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}`,
  `{apiVersion: ${rbac}/v1beta1, kind: ClusterRole, metadata: {name: x}, rules: [{nonResourceURLs: [/healthz], verbs: [get]}]}`,
  '{apiVersion: storage.orch.io/v1, kind: CSIDriver, metadata: {name: x}, spec: {attachRequired: false}}',
  '{apiVersion: storage.orch.io/v1beta1, kind: CSINode, metadata: {name: x}, spec: {drivers: [{name: d, nodeID: n1}]}}',
  '{apiVersion: storage.orch.io/v1beta1, kind: StorageClass, metadata: {name: x}, provisioner: example.com/p}',
  '{apiVersion: storage.orch.io/v1alpha1, kind: VolumeAttachment, metadata: {name: x}, spec: {attacher: a, nodeName: n1, source: {persistentVolumeName: p}}}',
  '{apiVersion: admissionregistration.orch.io/v1beta1, kind: MutatingWebhookConfiguration, metadata: {name: x}, webhooks: [{name: a.b.example.com, clientConfig: {url: "https://127.0.0.1:1/"}}]}',
  '{apiVersion: admissionregistration.orch.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: x}, webhooks: [{name: a.b.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/"}}]}',
  '{apiVersion: apiextensions.orch.io/v1beta1, kind: CustomResourceDefinition, metadata: {name: foos.example.com}, spec: {group: example.com, scope: Cluster, version: v1, names: {plural: foos, kind: Foo}, preserveUnknownFields: false, validation: {openAPIV3Schema: {type: object}}, additionalPrinterColumns: [{name: A, type: string, JSONPath: .a}]}}',
  '{apiVersion: scheduling.orch.io/v1alpha1, kind: PriorityClass, metadata: {name: x}, value: 7}',
  '{apiVersion: coordination.orch.io/v1, kind: Lease, metadata: {name: x}, spec: {holderIdentity: h}}',
  '{apiVersion: discovery.orch.io/v1alpha1, kind: EndpointSlice, metadata: {name: x}, addressType: IPv4, endpoints: [{addresses: [10.0.0.1]}], ports: [{port: 80}]}',
  '{apiVersion: node.orch.io/v1alpha1, kind: RuntimeClass, metadata: {name: x}, spec: {runtimeHandler: h, overhead: {podFixed: {cpu: 250m}}}}',
  '{apiVersion: flowcontrol.apiserver.orch.io/v1alpha1, kind: FlowSchema, metadata: {name: x}, spec: {priorityLevelConfiguration: {name: x}}}',
  '{apiVersion: flowcontrol.apiserver.orch.io/v1beta1, kind: PriorityLevelConfiguration, metadata: {name: x}, spec: {type: Limited, limited: {assuredConcurrencyShares: 3, limitResponse: {type: Reject}}}}',
];

describe('conversions beside those of a server that serves every version', () => {
  const catalog = createTypeCatalog(orchDialect);
  const families = createKindFamilies(orchDialect, catalog);
  const convert = createObjectConverter(orchDialect, catalog);
  const { resources } = loadResources(orchDialect);
  let world: CtlServer;

  before(async () => {
    world = await startCtlServer([
      '--runtime-config=api/all=true,discovery.orch.io/v1alpha1=true',
      '--controllers=none',
    ]);
  });
  after(() => world.stop());

  async function read(version: string, kind: string, name: string): Promise<Record<string, unknown>> {
    const [plural = ''] =
      Object.entries(resources[version] ?? {}).find(([, item]) => item.kind === kind) ?? [];
    const [last = '', group = ''] = version.split('/').reverse();
    const { out, err } = await world.ctl(['get', `${plural}.${last}.${group}`, name, '-o', 'json']);
    if (out === '') throw new Error(`${version} ${kind}: ${err}`);
    const type = catalog.kind({ ...partsOf(version), kind });
    return type?.decode(JSON.parse(out)) ?? {};
  }

  it('have a manifest for every kind that is stored and served in several versions', () => {
    const kinds = new Set(manifests.map((manifest) => /kind: (\w+)/.exec(manifest)?.[1]));
    for (const [version, ofVersion] of Object.entries(resources)) {
      for (const { kind, storage } of Object.values(ofVersion)) {
        const family = families.find({ ...partsOf(version), kind });
        const served = family?.versions.filter((candidate) => resources[candidate] !== undefined) ?? [];
        const isServed = served.filter((candidate) => hasKind(candidate, kind)).length > 1;
        if (storage !== undefined && isServed) expect(kinds, `${version} ${kind}`).to.include(kind);
      }
    }
  });

  const hasKind = (version: string, kind: string): boolean =>
    Object.values(resources[version] ?? {}).some((item) => item.kind === kind);

  for (const manifest of manifests) {
    const [, version = '', kind = ''] = /^\{apiVersion: (\S+), kind: (\w+)/.exec(manifest) ?? [];
    it(`make of ${kind} what the server makes of it, in every version`, async () => {
      // A document that begins with a brace would be read as JSON.
      const stdin = `---\n${manifest.replace('REQUEST', signingRequest)}`;
      const created = await world.ctl(['create', '-f', '-'], { stdin });
      expect(created.code, created.err).to.equal(0);
      const [, name = ''] = /metadata: \{name: ([^,}]+)/.exec(manifest) ?? [];
      const family = families.find({ ...partsOf(version), kind });
      if (family === undefined) throw new RangeError(`no family of ${kind}`);
      const served = family.versions.filter((candidate) => hasKind(candidate, kind));
      expect(served.length).to.be.greaterThan(1);
      for (const from of served) {
        const object = await read(from, kind, name);
        for (const to of served) {
          const wanted = await read(to, kind, name);
          expect(convert(object, { family, from, to }), `${from} to ${to}`).to.deep.equal(wanted);
        }
      }
    });
  }
});

function partsOf(version: string) {
  const parts = parseGroupVersion(version);
  if (parts === undefined) throw new RangeError(`bad version ${version}`);
  return parts;
}
