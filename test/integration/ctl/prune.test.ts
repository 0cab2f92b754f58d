import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EmbeddedServer, startServer } from '../../../src/app/index.ts';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import { run } from '../../unit/ctl/support/run.ts';

const settings = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop, labels: {app: web}}\n`;
const web = (kind: string) => `apiVersion: apps/v1
kind: ${kind}
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;
const way = `apiVersion: networking.orch.io/v1
kind: Ingress
metadata: {name: way, namespace: shop, labels: {app: web}}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
`;
const joined = (...documents: string[]) => documents.join('---\n');

describe('ctl apply --prune against a server', () => {
  let server: EmbeddedServer;
  let folder: string;
  let file: string;
  const ctl = (...argv: string[]) => run(argv, { env: { ORCHCONFIG: join(folder, 'config') }, home: folder });
  const apply = (text: string, ...flags: string[]) => {
    writeFileSync(file, text);
    return ctl('apply', '--prune', '-f', file, ...flags);
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-prune-'));
    file = join(folder, 'app.yaml');
    server = await startServer();
    await saveClientConfig(join(folder, 'config'), server.clientConfig);
    await ctl('create', 'ns', 'shop');
    await ctl('create', 'configmap', 'by-hand', '-n', 'shop');
    await ctl('label', 'configmap', 'by-hand', 'app=web', '-n', 'shop');
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("deletes what left the files, of all of the release's kinds", async () => {
    const all = joined(settings('one'), settings('two'), web('Deployment'), way);
    expect(await apply(all, '-l', 'app=web')).to.deep.equal({
      code: 0,
      out: 'configmap/one created\nconfigmap/two created\ndeployment.apps/web created\ningress.networking.orch.io/way created\n',
      // The release's kinds have an ingress of a version that is going away.
      err: 'Warning: extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.orch.io/v1 Ingress\n',
    });
    // An ingress is listed under another group than it was applied under: it must stay.
    const fewer = joined(settings('one'), way);
    const unchanged = 'configmap/one unchanged\ningress.networking.orch.io/way unchanged\n';
    for (const [flag, note] of [
      ['client', ' (dry run)'],
      ['server', ' (server dry run)'],
      ['none', ''],
    ]) {
      const { code, out } = await apply(fewer, '-l', 'app=web', `--dry-run=${flag}`);
      const pruned = `configmap/two pruned\ndeployment.apps/web pruned\n`;
      expect({ code, out }).to.deep.equal({
        code: 0,
        out: `${unchanged}${pruned}`.replaceAll('\n', `${note}\n`),
      });
    }
    const { out } = await ctl('get', 'cm,deploy,ingress', '-n', 'shop', '-l', 'app=web', '-o', 'name');
    expect(out).to.equal('configmap/by-hand\nconfigmap/one\ningress.networking.orch.io/way\n');
  });

  it('looks at the kinds that it is given and at no other', async () => {
    await apply(joined(settings('three'), web('DaemonSet')), '-l', 'app=web');
    const { out } = await apply(settings('three'), '--all', '--prune-whitelist=apps/v1/DaemonSet');
    expect(out).to.equal('configmap/three unchanged\ndaemonset.apps/web pruned\n');
  });
});
