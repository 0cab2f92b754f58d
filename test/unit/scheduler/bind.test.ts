import { expect } from 'chai';
import type { PersistentVolumeClaim } from '../../../src/apis/types/core-v1.ts';
import type { RestClient, RestRequest } from '../../../src/client/rest/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { bindClaims } from '../../../src/scheduler/bind.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const selected = { 'volume.orch.io/selected-node': 'n' };

/** A claim that asks for a volume on node `n`, as it is in memory once that was written with version 5. */
async function bind(now: object): Promise<readonly RestRequest[]> {
  const sent: RestRequest[] = [];
  const client = {
    json: async (request: RestRequest) => {
      sent.push(request);
      return { metadata: { resourceVersion: '5' } };
    },
  } as unknown as RestClient; // claims are patched only
  const claimOf = (parts: object) =>
    ({ metadata: { name: 'c', ...parts }, spec: {} }) as PersistentVolumeClaim;
  const ending = new AbortController();
  let looks = 0;
  await bindClaims([{ claim: claimOf({ resourceVersion: '4' }), volume: undefined }], 'n', {
    client,
    dialect: orchDialect,
    clock: new ManualClock(),
    signal: ending.signal,
    isWanted: () => true,
    claim() {
      // Whoever looks again waits.
      if (++looks > 1) return claimOf(now);
      queueMicrotask(() => ending.abort(new Error('it waits')));
      return claimOf(now);
    },
  });
  return sent;
}

describe('bindClaims', () => {
  const failure = (now: object): Promise<string> =>
    bind(now).then(
      () => 'bound',
      (error: Error) => error.message,
    );

  it('waits while a volume is being made', async () => {
    expect(await failure({ resourceVersion: '5', annotations: selected })).to.equal('it waits');
  });

  it('waits while what was written was not seen', async () => {
    expect(await failure({ resourceVersion: '4' })).to.equal('it waits');
  });

  it('fails at once when nobody makes the volume on the node any more', async () => {
    expect(await failure({ resourceVersion: '6', annotations: { other: 'x' } })).to.equal(
      'binding volumes: provisioning failed for PVC "c"',
    );
    expect(await failure({ resourceVersion: '6' })).to.equal(
      'binding volumes: selectedNode annotation reset for PVC "c"',
    );
  });
});
