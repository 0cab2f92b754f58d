import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { StorageError } from '../../../../src/storage/index.ts';
import { WorkerClient } from '../../../../src/storage/sqlite/worker-client.ts';

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error instanceof StorageError ? error.code : String(error)),
  );
}

describe('WorkerClient', () => {
  const endings: readonly (readonly [name: string, action: string])[] = [
    ['exits', 'process.exit(1)'],
    ['throws', "throw new Error('bug')"],
  ];
  for (const [name, action] of endings) {
    it(`fails calls under way and later ones when the thread ${name}`, async () => {
      const program = `require('node:worker_threads').parentPort.once('message', () => { ${action} })`;
      const client = new WorkerClient(new Worker(program, { eval: true }));
      const lost: StorageError[] = [];
      client.onLost = (error) => lost.push(error);
      const calls = [
        client.call<'stats'>({ kind: 'stats' }),
        client.call<'get'>({ kind: 'get', revision: 0, key: '/a' }),
      ];
      expect(await Promise.all(calls.map(codeOf))).to.deep.equal(['unavailable', 'unavailable']);
      expect(await codeOf(client.call<'stats'>({ kind: 'stats' }))).to.equal('unavailable');
      expect(lost.map(({ code }) => code)).to.deep.equal(['unavailable']);
    });
  }
});
