import { expect } from 'chai';
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
      expect(failure).to.deep.equal({ code, message: `${text}: cause (${detail})` });
    });
  }

  it('keeps a known failure as it is', () => {
    expect(toFailure(new DatabaseFailure('locked', 'text'))).to.deep.equal({
      code: 'locked',
      message: 'text',
    });
  });

  it('survives what is no error', () => {
    expect(toFailure('odd')).to.deep.equal({ code: 'unavailable', message: 'database failed: odd' });
    expect(toFailure(new Error('plain'))).to.deep.equal({
      code: 'unavailable',
      message: 'database failed: plain',
    });
  });
});
