import { expect } from 'chai';
import { describe, it } from 'mocha';
import { makeCsi } from '../../../../src/app/node-agent/make-csi.ts';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { agentConfig } from '../../nodeagent/agent-config.ts';
import { fakeRestClient, refusal, type SentRequest } from '../../nodeagent/fake-rest.ts';

/** The object that the node is shown with when these gates are on. */
async function shownWith(gates: string): Promise<unknown> {
  const sent: SentRequest[] = [];
  const main = fakeRestClient((request) => {
    sent.push(request);
    if (request.method === 'GET' && request.path.includes('csinodes')) return refusal(404, 'NotFound');
    return { status: 200, body: { metadata: { name: 'n', uid: 'u' } } };
  });
  const { node } = makeCsi({
    config: agentConfig([`--feature-gates=${gates}`]),
    clients: { main },
    nodeName: 'n',
    dialect: createDialect('kubernetes'),
    clock: systemClock,
    logger: silentLogger,
  });
  await node.initialize(new AbortController().signal);
  const { body } = sent.find(({ method }) => method === 'POST') ?? {};
  return Object(body).metadata.annotations;
}

describe('what the node says of migrated volumes', () => {
  const key = 'storage.alpha.kubernetes.io/migrated-plugins';
  const cases: readonly (readonly [gates: string, plugins: string | undefined])[] = [
    ['CSIMigration=true', undefined],
    ['CSIMigrationProvider1=true,CSIMigrationProvider4=true', 'kubernetes.io/aws-ebs,kubernetes.io/gce-pd'],
    ['CSIMigration=false,CSIMigrationProvider1=true', undefined],
    ['CSIMigrationProvider2=true', 'kubernetes.io/azure-disk'],
    ['CSIMigrationProvider3=true', 'kubernetes.io/azure-file'],
    ['CSIMigrationProvider5=true', 'kubernetes.io/cinder'],
    ['CSIMigrationProvider6=true', 'kubernetes.io/vsphere-volume'],
  ];
  for (const [gates, plugins] of cases) {
    it(`with ${gates} is ${plugins ?? 'nothing'}`, async () => {
      expect(await shownWith(gates)).to.deep.equal(plugins === undefined ? {} : { [key]: plugins });
    });
  }
});
