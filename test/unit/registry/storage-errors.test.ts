import { expect } from 'chai';
import { translateStorageError } from '../../../src/registry/index.ts';
import { StorageError, type StorageErrorCode } from '../../../src/storage/index.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { configMap } from '../../support/objects.ts';
import { TestRegistry } from '../../support/registry.ts';

describe('translateStorageError', () => {
  const cases: [code: StorageErrorCode, status: number, reason: string][] = [
    ['compacted', 410, 'Expired'],
    ['future-revision', 504, 'Timeout'],
    ['disk-full', 507, 'InsufficientStorage'],
    ['unavailable', 503, 'ServiceUnavailable'],
    ['closed', 503, 'ServiceUnavailable'],
    ['locked', 503, 'ServiceUnavailable'],
    ['corrupt', 500, 'InternalError'],
    ['unreadable', 500, 'InternalError'],
    ['wrong-dialect', 500, 'InternalError'],
  ];
  for (const [code, status, reason] of cases) {
    it(`makes ${status} ${reason} of "${code}"`, () => {
      const error = translateStorageError(new StorageError(code, 'x'));
      expect([error.code, error.reason]).to.deep.equal([status, reason]);
    });
  }

  it('says when to try again, but for a write that may have happened', () => {
    const retryAfter = (mayHaveWritten: boolean, code: StorageErrorCode) =>
      translateStorageError(new StorageError(code, 'x', { mayHaveWritten })).status.details
        ?.retryAfterSeconds;
    for (const code of ['unavailable', 'closed', 'locked'] as const) {
      expect(retryAfter(false, code), code).to.equal(1);
      expect(retryAfter(true, code), code).to.equal(undefined);
    }
  });

  it('tells clients nothing of files and drivers', () => {
    for (const [code] of cases) {
      // Messages that are revisions only, or a key.
      if (code === 'future-revision' || code === 'unreadable') continue;
      const { status } = translateStorageError(new StorageError(code, '/var/lib/secret.db: disk I/O error'));
      expect(JSON.stringify(status)).not.to.contain('secret');
    }
  });
});

describe('writes when storage fails', () => {
  it('become the API’s errors, whatever the verb', async () => {
    await using registry = await TestRegistry.open();
    await registry.create('v1/configmaps', configMap('a'));
    const fail = () =>
      registry.storage.interruptNextWrite(() => {
        throw new StorageError('disk-full', 'no space');
      });
    const change = (object: object) => Object.assign(object, { data: { k: 'v' } });
    const writes = [
      () => registry.create('v1/configmaps', configMap('b')),
      () => registry.change('v1/configmaps', 'a', change),
      () => registry.remove('v1/configmaps', 'a'),
    ];
    for (const write of writes) {
      fail();
      const status = await expectStatus(write(), { code: 507, reason: 'InsufficientStorage' });
      expect(status.details?.retryAfterSeconds).to.equal(5);
    }
  });
});
