import { expect } from 'chai';
import { describe, it } from 'mocha';
import { StorageError } from '../../../../src/storage/contract.ts';
import type { CallOptions, Cluster } from '../../../../src/storage/etcd/cluster.ts';
import type { TxnAnswer } from '../../../../src/storage/etcd/protocol.ts';
import { type Write, Writer, type Written } from '../../../../src/storage/etcd/writer.ts';

const key = '/registry/configmaps/default/a';
const value = Buffer.from('{"metadata":{"name":"a"},"data":{}}');
const known = 100;

const succeeded = (revision: number): TxnAnswer => ({
  header: { revision },
  succeeded: true,
  responses: [{}],
});
const refused = (current?: { readonly revision: number; readonly value: Buffer }): TxnAnswer => {
  const kvs =
    current === undefined ? [] : [{ key, modRevision: current.revision, version: 1, value: current.value }];
  const header = { revision: 200 };
  return {
    header,
    succeeded: false,
    responses: [{ range: { header, kvs, more: false, count: kvs.length } }],
  };
};

/** Writes through a cluster that answers so, after attempts that failed without saying whether they were applied. */
async function write(
  answer: TxnAnswer,
  { isUncertain, ...changes }: Partial<Write> & { readonly isUncertain: boolean },
): Promise<Written> {
  const call = async (_method: unknown, _request: unknown, options: CallOptions) => {
    if (isUncertain) options.onUncertain?.();
    return answer;
  };
  // The writer makes transactions only.
  const cluster = { call } as unknown as Pick<Cluster, 'call'>;
  const leases = { take: async () => ({ id: 1 }), forget: async () => {} };
  return new Writer(cluster, leases).write({ key, expectedRevision: 50, value, ...changes }, known);
}

describe('Writer', () => {
  const other = Buffer.from('{"metadata":{"name":"a"},"data":{"of":"another"}}');

  it('succeeds when the transaction does, whatever came of attempts before', async () => {
    for (const isUncertain of [false, true]) {
      expect(await write(succeeded(120), { isUncertain })).to.deep.include({ kind: 'ok', revision: 120 });
    }
  });

  it('tells a conflict when no attempt before can have been applied', async () => {
    const equal = await write(refused({ revision: 120, value }), { isUncertain: false });
    expect(equal).to.deep.include({ kind: 'conflict', revision: 120 });
    const older = await write(refused({ revision: known, value }), { isUncertain: true });
    expect(older).to.deep.include({ kind: 'conflict', revision: known });
  });

  const unknowable: Readonly<Record<string, () => Promise<Written>>> = {
    'an equal value that may be of another process': () =>
      write(refused({ revision: 120, value }), { isUncertain: true }),
    'an equal value that another process may have created': () =>
      write(refused({ revision: 120, value }), { isUncertain: true, expectedRevision: 0 }),
    'another value, which may have replaced this one': () =>
      write(refused({ revision: 120, value: other }), { isUncertain: true }),
    'no value, which may be the work of this delete': () =>
      write(refused(), { isUncertain: true, value: undefined }),
  };
  for (const [about, attempt] of Object.entries(unknowable)) {
    it(`claims neither success nor conflict after an uncertain attempt that left ${about}`, async () => {
      const failure = await attempt().catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(StorageError).with.property('code', 'unavailable');
      expect(failure).to.have.property('mayHaveWritten', true);
    });
  }

  it('says of a write that failed whether it may have happened', async () => {
    for (const isUncertain of [false, true]) {
      const call = async (_method: unknown, _request: unknown, options: CallOptions) => {
        if (isUncertain) options.onUncertain?.();
        throw new StorageError('unavailable', 'etcd does not answer');
      };
      // The writer makes transactions only.
      const cluster = { call } as unknown as Pick<Cluster, 'call'>;
      const leases = { take: async () => ({ id: 1 }), forget: async () => {} };
      const failure = await new Writer(cluster, leases)
        .write({ key, expectedRevision: 50, value }, known)
        .catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(StorageError).with.property('mayHaveWritten', isUncertain);
    }
  });

  it('remembers an uncertain attempt when the lease is lost after it', async () => {
    const lost = Object.assign(new Error('lost'), {
      code: 5,
      details: 'etcdserver: requested lease not found',
    });
    const answers: (() => TxnAnswer)[] = [
      () => {
        throw new StorageError('unavailable', 'etcd does not answer', { cause: lost });
      },
      () => refused(),
    ];
    const call = async (_method: unknown, _request: unknown, options: CallOptions) => {
      if (answers.length === 2) options.onUncertain?.();
      return answers.shift()?.();
    };
    // The writer makes transactions only.
    const cluster = { call } as unknown as Pick<Cluster, 'call'>;
    const taken: number[] = [];
    const leases = { take: async () => ({ id: taken.push(1) }), forget: async () => {} };
    const failure = await new Writer(cluster, leases)
      .write({ key, expectedRevision: 50, value, options: { ttlSeconds: 60 } }, known)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(StorageError).with.property('code', 'unavailable');
    expect(taken).to.have.length(2);
  });
});
