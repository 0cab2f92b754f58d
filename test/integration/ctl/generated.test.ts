import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

/** A command line, what it prints on success, or what is wrong. */
type Case = readonly [argv: string, outcome: string | { readonly refused: string }];

const refused = (text: string) => ({ refused: text });
const service = (name: string, spec: string, labels = '    app: web') =>
  `apiVersion: v1
kind: Service
metadata:
  creationTimestamp: null
  labels:
${labels}
  name: ${name}
spec:
${spec}
  selector:
    app: web
status:
  loadBalancer: {}
`;
const port = (text: string) => `  ports:\n  - ${text.replaceAll('\n', '\n    ')}`;
const plain = 'port: 80\nprotocol: TCP\ntargetPort: 80';

describe('commands that make objects from others', () => {
  let site: CtlServer;
  before(async () => {
    site = await startCtlServer(['--controllers=none', '--disable-admission-plugins=ServiceAccount']);
    for (const argv of [
      'create deployment web --image=i --port=80',
      'create deployment closed --image=i',
      'create service clusterip two --tcp=80:8080 --tcp=90',
      'create configmap cm',
    ]) {
      expect((await site.ctl(argv.split(' '))).code).to.equal(0);
    }
  });
  after(() => site.stop());

  const check = ([argv, outcome]: Case) =>
    it(argv, async () => {
      const { code, out, err } = await site.ctl(argv.split(' '));
      if (typeof outcome === 'string') expect([out, err, code]).to.deep.equal([outcome, '', 0]);
      else expect([err, code]).to.deep.equal([outcome.refused, 1]);
    });
  const help = (command: string) => `See 'ctl ${command} -h' for help and examples\n`;
  const yaml = '--dry-run=client -o yaml';

  describe('ctl expose', () => {
    const cases: readonly Case[] = [
      [`expose deployment web ${yaml}`, service('web', port(plain))],
      [`expose deployment web -n default --save-config ${yaml}`, service('web', port(plain))],
      [
        `expose deployment web --name=w --port=1,2 --target-port=http --protocol=UDP -l x=y ${yaml}`,
        service(
          'w',
          `${port('name: port-1\nport: 1\nprotocol: UDP\ntargetPort: http')}\n${port('name: port-2\nport: 2\nprotocol: UDP\ntargetPort: http').slice('  ports:\n'.length)}`,
          '    x: "y"',
        ),
      ],
      [
        `expose deployment web --generator=service/v1 ${yaml}`,
        service('web', port(`name: default\n${plain}`)),
      ],
      [
        `expose deployment web --cluster-ip=None --external-ip=1.2.3.4 --session-affinity=ClientIP ${yaml}`,
        service('web', `  clusterIP: None\n  externalIPs:\n  - 1.2.3.4\n${port(plain)}`).replace(
          'status:',
          '  sessionAffinity: ClientIP\nstatus:',
        ),
      ],
      [
        `expose deployment web --overrides={"spec":{"type":"NodePort"}} ${yaml}`,
        service('web', port(plain)).replace('status:', '  type: NodePort\nstatus:'),
      ],
      [`expose service two --name=three -o jsonpath={.spec.ports[*].port} --dry-run=client`, '80 90'],
      [
        'expose deployment/web deployment/closed --port=1 --dry-run=client',
        'service/web exposed (dry run)\nservice/closed exposed (dry run)\n',
      ],
      ['expose deployment web --dry-run=server', 'service/web exposed (server dry run)\n'],
      ['expose deployment web', 'service/web exposed\n'],
      [
        'expose deployment web',
        refused('Error from server (AlreadyExists): services "web" already exists\n'),
      ],
      [
        'expose deployment closed',
        refused(`error: couldn't find port via --port flag or introspection\n${help('expose')}`),
      ],
      ['expose cm cm --port=1', refused('error: cannot expose a ConfigMap\n')],
      [
        'expose apiservice v1.apps --port=1',
        refused('error: cannot expose a APIService.apiregistration.orch.io\n'),
      ],
      ['expose deployment web --selector=a', refused('error: unexpected label spec: a\n')],
      ['expose deployment web --selector==a', refused('error: unexpected empty label key\n')],
      ['expose deployment web --port=x', refused('error: strconv.Atoi: parsing "x": invalid syntax\n')],
      ['expose deployment web --session-affinity=x', refused('error: unknown session affinity: x\n')],
      ['expose deployment web --overrides=x', refused('error: Invalid JSON Patch\n')],
      ['expose deployment web --generator=x', refused(`error: generator "x" not found.\n${help('expose')}`)],
      [
        'expose deployment',
        refused(
          `error: resource(s) were provided, but no name, label selector, or --all flag specified\n${help('expose')}`,
        ),
      ],
    ];
    for (const one of cases) check(one);
  });

  describe('ctl autoscale', () => {
    const cases: readonly Case[] = [
      [
        `autoscale deployment web --max=5 --min=2 --cpu-percent=50 --name=h -n default ${yaml}`,
        `apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  creationTimestamp: null
  name: h
spec:
  maxReplicas: 5
  minReplicas: 2
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  targetCPUUtilizationPercentage: 50
status:
  currentReplicas: 0
  desiredReplicas: 0
`,
      ],
      [
        'autoscale deployment web --max=3 --dry-run=client',
        'horizontalpodautoscaler.autoscaling/web created (dry run)\n',
      ],
      ['autoscale deployment web --max=3', 'horizontalpodautoscaler.autoscaling/web autoscaled\n'],
      ['autoscale deployment web', refused(`Error: required flag(s) "max" not set\n`)],
      [
        'autoscale deployment web --max=1 --min=3',
        refused('error: --max=MAXPODS must be larger or equal to --min=MINPODS, max: 1, min: 3\n'),
      ],
      [
        'autoscale deployment web --max=0',
        refused('error: --max=MAXPODS is required and must be at least 1, max: 0\n'),
      ],
      [
        'autoscale cm cm --max=3',
        refused(
          'error: cannot autoscale a ConfigMap: could not find scale subresource for /v1, Resource=configmaps in discovery information\n',
        ),
      ],
    ];
    for (const one of cases) check(one);
  });

  it('show what only the client has seen as a server would write it', async () => {
    const { out } = await site.ctl('create deployment x --image=y --dry-run=client -o json'.split(' '));
    const shown = JSON.parse(out);
    expect(Object.keys(shown)).to.deep.equal(['kind', 'apiVersion', 'metadata', 'spec', 'status']);
    expect(Object.keys(shown.metadata)).to.deep.equal(['name', 'creationTimestamp', 'labels']);
    expect(shown.spec.strategy).to.deep.equal({});
    expect(shown.spec.template.metadata.creationTimestamp).to.equal(null);
  });
});
