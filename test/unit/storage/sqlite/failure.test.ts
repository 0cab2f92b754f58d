import { assert } from 'chai';
import { describe, it } from 'mocha';
import { DatabaseFailure, toFailure } from '../../../../src/storage/sqlite/failure.ts';

describe('toFailure', () => {
  const cases: readonly (readonly [detail: string, code: string])[] = [
    ['SQLITE_FULL', 'disk-full'],
    ['SQLITE_BUSY_RECOVERY', 'locked'],
    ['SQLITE_CORRUPT_INDEX', 'corrupt'],
    ['SQLITE_NOTADB', 'corrupt'],
    ['SQLITE_IOERR_WRITE', 'unavailable'],
    ['SQLITE_CANTOPEN', 'unavailable'],
    ['SQLITE_READONLY_DIRECTORY', 'unavailable'],
    ['ENOSPC', 'disk-full'],
    ['EACCES', 'unavailable'],
  ];
  for (const [detail, code] of cases) {
    it(`reports ${detail} as ${code}`, () => {
      const failure = toFailure(Object.assign(new Error('cause'), { code: detail }));
      assert.deepEqual(failure, { code, message: `database failed: cause (${detail})` });
    });
  }

  it('keeps a known failure as it is', () => {
    assert.deepEqual(toFailure(new DatabaseFailure('locked', 'text')), { code: 'locked', message: 'text' });
  });

  it('survives what is no error', () => {
    assert.deepEqual(toFailure('odd'), { code: 'unavailable', message: 'database failed: odd' });
    assert.deepEqual(toFailure(new Error('plain')), {
      code: 'unavailable',
      message: 'database failed: plain',
    });
  });
});
