import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const manifest = `apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: web}
spec:
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
---
apiVersion: extensions/v1beta1
kind: Ingress
metadata: {name: web}
spec:
  backend: {serviceName: web, servicePort: 80}
---
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
  metrics:
    - {type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: "5"}}}
    - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}
`;

describe('ctl convert beside a server', () => {
  let world: CtlServer;
  before(async () => {
    world = await startCtlServer();
  });
  after(() => world.stop());

  const convert = (stdin: string, ...args: string[]) => world.ctl(['convert', '-f', '-', ...args], { stdin });
  const json = async (...args: string[]) => JSON.parse((await world.ctl([...args, '-o', 'json'])).out);

  it('makes manifests that the server takes, and that mean the same', async () => {
    const { code, out } = await convert(manifest);
    expect(code).to.equal(0);
    const applied = await world.ctl(['apply', '-f', '-'], { stdin: out });
    expect(applied).to.deep.include({ code: 0, err: '' });
    expect((await json('get', 'deploy', 'web')).spec).to.deep.include({
      progressDeadlineSeconds: 2147483647,
      revisionHistoryLimit: 2147483647,
    });
    const ingress = await json('get', 'ingresses.v1.networking.orch.io', 'web');
    expect(ingress.spec.defaultBackend.service).to.deep.equal({ name: 'web', port: { number: 80 } });
    const scaler = await json('get', 'hpa.v2beta2.autoscaling', 'web');
    expect(scaler.spec.metrics).to.deep.equal([
      {
        type: 'Pods',
        pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '5' } },
      },
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      },
    ]);
  });

  it('converts what the server shows as the server itself does', async () => {
    await world.ctl(['create', '-f', '-'], {
      stdin: `{"apiVersion":"networking.orch.io/v1beta1","kind":"Ingress","metadata":{"name":"other"},
        "spec":{"rules":[{"http":{"paths":[{"path":"/","backend":{"serviceName":"s","servicePort":"http"}}]}}]}}`,
    });
    const older = await json('get', 'ingresses.v1beta1.networking.orch.io', 'other');
    const { out } = await convert(JSON.stringify(older), '-o', 'json');
    const newer = await json('get', 'ingresses.v1.networking.orch.io', 'other');
    expect(JSON.parse(out).spec).to.deep.equal(newer.spec);
  });

  it('with --local=false only makes what the server has', async () => {
    expect((await convert(manifest, '--local=false')).code).to.equal(0);
    const { code, out, err } = await convert(manifest, '--local=false', '--output-version=apps/v1beta2');
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.include('no matches for kind "Deployment" in version "apps/v1beta2"');
  });

  it('does without a server by default', async () => {
    const { code } = await convert(manifest, '--server=https://127.0.0.1:1', '--output-version=apps/v1beta2');
    expect(code).to.equal(0);
  });
});
