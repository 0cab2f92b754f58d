import { assert } from 'chai';
import { describe, it } from 'mocha';
import { DatabaseFailure, toFailure } from '../../../../src/storage/sqlite/failure.ts';

describe('toFailure', () => {
  const cases: readonly (readonly [detail: string, code: string, text: string])[] = [
    ['SQLITE_FULL', 'disk-full', 'no space is left for the database'],
    ['SQLITE_BUSY_RECOVERY', 'locked', 'database is in use'],
    ['SQLITE_CORRUPT_INDEX', 'corrupt', 'database is damaged'],
    ['SQLITE_NOTADB', 'corrupt', 'database is damaged'],
    ['SQLITE_IOERR_WRITE', 'unavailable', 'disk of the database failed'],
    ['SQLITE_CANTOPEN', 'unavailable', 'database failed'],
    ['SQLITE_READONLY_DIRECTORY', 'unavailable', 'database cannot be written'],
    ['ENOSPC', 'disk-full', 'no space is left for the database'],
    ['EACCES', 'unavailable', 'database failed'],
  ];
  for (const [detail, code, text] of cases) {
    it(`reports ${detail} as ${code}`, () => {
      const failure = toFailure(Object.assign(new Error('cause'), { code: detail }));
      assert.deepEqual(failure, { code, message: `${text}: cause (${detail})` });
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
