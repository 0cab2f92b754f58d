import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { requestOf, reviewAnswer, webhookConfiguration } from '../../support/webhook-configurations.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const configMap = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: ${data}}\n`;

describe('ctl with --dry-run=server, through webhooks', () => {
  let server: CtlServer;
  let hooks: WebhookServer;
  const ctl = (...argv: string[]) => server.ctl(argv);
  const write = (name: string, text: string): string => {
    const path = join(server.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const configure = async (kind: 'Mutating' | 'Validating', webhook: object): Promise<void> => {
    const configuration = webhookConfiguration({ kind, name: kind.toLowerCase() }, hooks, [
      { path: `/${kind}`, ...webhook },
    ]);
    const { code, err } = await ctl('create', '-f', write(`${kind}.json`, JSON.stringify(configuration)));
    expect([code, err]).to.deep.equal([0, '']);
  };

  before(async () => {
    server = await startCtlServer();
    hooks = await WebhookServer.start((call, response) => {
      const { object, operation } = requestOf(call);
      const isChanged = call.url.startsWith('/Mutating') && operation !== 'DELETE';
      const patch = [{ op: 'add', path: '/data/hooked', value: 'yes' }];
      const isRefused = call.url.startsWith('/Validating') && object?.data.a === 'bad';
      response.end(
        reviewAnswer(call, {
          allowed: !isRefused,
          warnings: ['mind the hook'],
          ...(isRefused ? { status: { message: 'bad data', code: 403 } } : {}),
          ...(isChanged ? { patch } : {}),
        }),
      );
    });
  });
  after(async () => {
    await server.stop();
    await hooks[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    hooks.calls.length = 0;
  });
  afterEach(async () => {
    await ctl('delete', 'mutatingwebhookconfigurations,validatingwebhookconfigurations', '--all');
    await ctl('delete', 'configmaps', 'm', '--ignore-not-found');
  });

  for (const command of ['create', 'apply']) {
    it(`shows what they make of a new object, and stores nothing: ${command}`, async () => {
      await configure('Mutating', {});
      await configure('Validating', {});
      const file = write('m.yaml', configMap('good'));
      const path = 'jsonpath={.data.hooked}';
      const { code, out, err } = await ctl(command, '-f', file, '--dry-run=server', '-o', path);
      expect([code, out]).to.deep.equal([0, 'yes']);
      expect(err).to.contain('Warning: mind the hook');
      expect(hooks.calls.map((call) => requestOf(call).dryRun)).to.deep.equal([true, true]);
      expect((await ctl('get', 'configmaps', 'm')).code).to.equal(1);
    });
  }

  it('is refused by them', async () => {
    await configure('Validating', {});
    const { code, err } = await ctl('create', '-f', write('m.yaml', configMap('bad')), '--dry-run=server');
    expect(code).to.equal(1);
    expect(err).to.contain('admission webhook "hook0.example.com" denied the request: bad data');
  });

  it('deletes nothing', async () => {
    await ctl('create', '-f', write('m.yaml', configMap('good')));
    await configure('Validating', {});
    expect((await ctl('delete', 'configmaps', 'm', '--dry-run=server')).code).to.equal(0);
    const [request] = hooks.calls.map(requestOf);
    expect([request?.operation, request?.dryRun]).to.deep.equal(['DELETE', true]);
    expect((await ctl('get', 'configmaps', 'm')).code).to.equal(0);
  });

  it('is refused where one may have effects', async () => {
    const definition = { sideEffects: 'Some', admissionReviewVersions: ['v1beta1'] };
    const configuration = webhookConfiguration({ version: 'v1beta1' }, hooks, [definition]);
    await ctl('create', '-f', write('effects.json', JSON.stringify(configuration)));
    const { code, err } = await ctl('create', '-f', write('m.yaml', configMap('good')), '--dry-run=server');
    expect(code).to.equal(1);
    expect(err).to.contain('does not support dry run');
    expect(hooks.calls).to.be.empty;
  });
});
