import { expect } from 'chai';
import { defaultGates } from '../../support/default-gates.ts';
import { create, update } from './rule-fixture.ts';

const count = 100_000;
const names = (prefix: string): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

/** Bodies within the limit of a request; a look at all of a list for each of its entries takes minutes. */
describe('rules of kinds look at long lists in little time', () => {
  it('topology keys of services', () => {
    const spec = { type: 'ClusterIP', sessionAffinity: 'None', clusterIP: 'None', topologyKeys: names('k') };
    const gates = defaultGates({ ServiceTopology: true });
    expect(create('v1.Service', { spec }, { gates }).errors).to.deep.equal([
      `spec.topologyKeys: Too many: ${count}: must have at most 16 items`,
    ]);
  });

  it('topology keys of CSI nodes', () => {
    const drivers = [{ name: 'd', nodeID: 'id', topologyKeys: names('k') }];
    expect(create('storage.orch.io/v1.CSINode', { spec: { drivers } }).errors).to.deep.equal([]);
  });

  it('capabilities of pod security policies', () => {
    const strategy = { rule: 'RunAsAny' };
    const spec = {
      seLinux: strategy,
      runAsUser: strategy,
      supplementalGroups: strategy,
      fsGroup: strategy,
      requiredDropCapabilities: names('d'),
      allowedCapabilities: names('a'),
    };
    expect(create('policy/v1beta1.PodSecurityPolicy', { spec }).errors).to.deep.equal([]);
  });

  it('tolerations of runtime classes', () => {
    const tolerations = names('k').map((key) => ({ key, operator: 'Exists' }));
    const fields = { handler: 'h', scheduling: { tolerations: [...tolerations, { ...tolerations[7] }] } };
    expect(create('node.orch.io/v1beta1.RuntimeClass', fields).errors).to.deep.equal([
      `scheduling.tolerations[${count}]: Duplicate value: core.Toleration{Key:"k7", Operator:"Exists", Value:"", Effect:"", TolerationSeconds:(*int64)(nil)}`,
    ]);
  });

  const plain = { name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };
  const podSpec = { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', containers: [plain] };

  it('profiles and containers of pods', () => {
    const prefix = 'container.apparmor.security.beta.orch.io/';
    const annotations = Object.fromEntries(names(`${prefix}a`).map((key) => [key, '']));
    const containers = names('c').map((name) => ({ ...plain, name }));
    const { errors } = create('v1.Pod', { metadata: { annotations }, spec: { ...podSpec, containers } });
    expect(errors).to.have.length(count);
  });

  it('tolerations and constraints of pods', () => {
    const tolerations = names('k').map((key) => ({ key, operator: 'Exists' }));
    const topologySpreadConstraints = names('k').map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule',
    }));
    const old = { spec: { ...podSpec, topologySpreadConstraints, tolerations } };
    const { errors } = create('v1.Pod', old);
    expect(errors).to.deep.equal([]);
    const more = [...tolerations, { key: 'x', operator: 'Exists' }];
    expect(update('v1.Pod', old, { spec: { ...old.spec, tolerations: more } }).errors).to.deep.equal([]);
  });

  it('mounts and devices of containers', () => {
    const container = {
      ...plain,
      volumeMounts: names('m').map((name) => ({ name, mountPath: `/${name}` })),
      volumeDevices: names('d').map((name) => ({ name, devicePath: `/${name}` })),
    };
    expect(create('v1.Pod', { spec: { ...podSpec, containers: [container] } }).errors).to.have.length(
      2 * count,
    );
  });

  it('beginnings of certificates that end together, or never', () => {
    const beginnings = '-----BEGIN CERTIFICATE REQUEST-----\n'.repeat(count);
    const problemOf = (text: string): string | undefined => {
      const request = Buffer.from(text).toString('base64');
      const fields = { spec: { request, usages: ['any'], signerName: 'example.com/any' } };
      return create('certificates.orch.io/v1beta1.CertificateSigningRequest', fields).errors[0]?.slice(-60);
    };
    expect(problemOf(beginnings)).to.contain('PEM block type must be CERTIFICATE REQUEST');
    const ended = `${beginnings}-----END CERTIFICATE REQUEST-----\n`;
    expect(problemOf(ended)).to.contain('asn1: syntax error: sequence truncated');
  });

  it('topologies of storage classes', () => {
    const fields = { provisioner: 'p', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };
    const allowedTopologies = names('v').map(() => ({}));
    const { errors } = create('storage.orch.io/v1.StorageClass', { ...fields, allowedTopologies });
    expect(errors[0]).to.equal('allowedTopologies[0].matchLabelExpressions: Duplicate value: ""');
  });

  it('zeros before a number in an annotation', () => {
    const annotation = 'deprecated.daemonset.template.generation';
    const fields = { metadata: { annotations: { [annotation]: `${'0'.repeat(10 * count)}x` } } };
    expect(() => create('apps/v1.DaemonSet', fields)).to.throw('invalid syntax');
  });
});
