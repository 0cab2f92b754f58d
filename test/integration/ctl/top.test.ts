import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

/** A metrics server's group, as objects that the test writes. */
const definition = (plural: string, kind: string, scope: string) => `---
apiVersion: apiextensions.orch.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.metrics.orch.io, annotations: {api-approved.orch.io: "https://example.com/1"}}
spec:
  group: metrics.orch.io
  scope: ${scope}
  names: {plural: ${plural}, kind: ${kind}, singular: ${kind.toLowerCase()}}
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-orch-preserve-unknown-fields: true}}
`;
const metrics = (kind: string, metadata: string, rest: string) => `---
apiVersion: metrics.orch.io/v1beta1
kind: ${kind}
metadata: {${metadata}}
${rest}
`;
const node = (name: string, cpu: string, memory: string) => `---
apiVersion: v1
kind: Node
metadata: {name: ${name}}
status: {allocatable: {cpu: "${cpu}", memory: ${memory}}, capacity: {cpu: "${cpu}", memory: ${memory}}}
`;

// The tables are those of the client of release 1.20 for the same objects, but for a node without metrics.
describe('ctl top', () => {
  let server: CtlServer;
  const ctl = async (...argv: string[]) => {
    const { code, out, err } = await server.ctl(argv);
    return { code, out, err };
  };
  const lines = async (...argv: string[]) =>
    (await ctl(...argv)).out.split('\n').map((line) => line.trimEnd());

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
  });
  after(() => server.stop());

  it('says when there are no metrics', async () => {
    expect(await ctl('top', 'node')).to.deep.equal({
      code: 1,
      out: '',
      err: 'error: Metrics API not available\n',
    });
  });

  describe('with metrics', () => {
    before(async () => {
      const definitions =
        definition('nodes', 'NodeMetrics', 'Cluster') + definition('pods', 'PodMetrics', 'Namespaced');
      await server.ctl(['apply', '-f', '-'], { stdin: definitions });
      await ctl('wait', '--for=condition=Established', 'crd', '--all');
      const objects = [
        node('m0', '3', '7Gi'),
        node('m1', '4', '8Gi'),
        node('mx', '4', '8Gi'),
        metrics('NodeMetrics', 'name: m1, labels: {a: b}', 'usage: {cpu: 1234567890n, memory: 1234567Ki}'),
        metrics('NodeMetrics', 'name: m0', 'usage: {cpu: 250m, memory: 2Gi}'),
        metrics(
          'PodMetrics',
          'name: p1, namespace: default, labels: {a: b}',
          'containers: [{name: c2, usage: {cpu: 1500u, memory: 12345Ki}}, {name: c1, usage: {cpu: 2, memory: 5Mi}}]',
        ),
        metrics(
          'PodMetrics',
          'name: p0, namespace: default',
          'containers: [{name: c, usage: {cpu: 3, memory: 1Gi}}]',
        ),
        metrics(
          'PodMetrics',
          'name: q, namespace: orch-system',
          'containers: [{name: c, usage: {cpu: 100m, memory: 1Gi}}]',
        ),
      ];
      const { code, err } = await server.ctl(['create', '-f', '-'], { stdin: objects.join('') });
      expect(code, err).to.equal(0);
    });

    it('shows nodes and their shares, by name or by what they use', async () => {
      expect(await lines('top', 'node')).to.deep.equal([
        'NAME   CPU(cores)   CPU%        MEMORY(bytes)   MEMORY%',
        'm0     250m         8%          2048Mi          28%',
        'm1     1235m        30%         1205Mi          14%',
        'mx     <unknown>    <unknown>   <unknown>       <unknown>',
        '',
      ]);
      expect((await lines('top', 'node', '--sort-by=cpu', '--no-headers'))[0]).to.match(/^m1 /);
      expect(await lines('top', 'no', 'm1')).to.deep.equal([
        'NAME   CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%',
        'm1     1235m        30%    1205Mi          14%',
        '',
      ]);
    });

    it('shows pods and their containers', async () => {
      expect(await lines('top', 'pod')).to.deep.equal([
        'NAME   CPU(cores)   MEMORY(bytes)',
        'p0     3000m        1024Mi',
        'p1     2002m        17Mi',
        '',
      ]);
      expect(
        await lines('top', 'pod', '-A', '--containers', '--sort-by=memory', '--no-headers'),
      ).to.deep.equal([
        'default       p0    c     3000m   1024Mi',
        'orch-system   q     c     100m    1024Mi',
        'default       p1    c2    2m      12Mi',
        'default       p1    c1    2000m   5Mi',
        '',
      ]);
      expect((await lines('top', 'pod', '-l', 'a=b', '--no-headers'))[0]).to.match(/^p1 /);
    });

    it('says what is not there, and what makes no sense', async () => {
      expect((await ctl('top', 'pod', 'zz')).err).to.equal(
        'Error from server (NotFound): pods.metrics.orch.io "zz" not found\n',
      );
      expect((await ctl('top', 'pod', '-l', 'a=c')).err).to.equal(
        'No resources found in default namespace.\n',
      );
      expect((await ctl('top', 'node', '-l', 'a=c')).err).to.equal('error: metrics not available yet\n');
      expect((await ctl('top', 'node', '--sort-by=x')).err).to.equal(
        'error: --sort-by accepts only cpu or memory\n',
      );
      expect((await ctl('top', 'node', 'm1', '-l', 'a=b')).err).to.equal(
        'error: only one of NAME or --selector can be provided\n',
      );
      expect((await ctl('top', 'pod', 'p1', '-A')).err).to.equal(
        'error: an empty namespace may not be set when a resource name is provided\n',
      );
      expect((await ctl('top', 'pod', '-l', 'a in')).err).to.equal(
        "error: unable to parse requirement: found '' expected: '('\n",
      );
    });

    it('takes flags that earlier clients had, and warns', async () => {
      const { out, err } = await ctl('top', 'node', 'm1', '--no-headers', '--heapster-namespace=x');
      expect(out).to.match(/^m1 /);
      expect(err).to.match(/^Warning: --heapster-namespace has no effect/);
    });
  });
});
