import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { expect } from 'chai';
import { asError, errorText, fileErrorText, reasonText } from '../../../src/base/index.ts';

describe('errorText', () => {
  it('is the message of an error, and the text of anything else', () => {
    expect(errorText(new RangeError('too far'))).to.equal('too far');
    expect(errorText('a text')).to.equal('a text');
    expect(errorText(undefined)).to.equal('undefined');
    expect(errorText(7n)).to.equal('7');
  });

  it('has a text for what refuses to become one', () => {
    expect(errorText(Object.create(null))).to.equal('unknown error');
  });
});

describe('the text of a system call that failed', () => {
  const failureOf = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  };
  /** As the runtime makes them where the system cannot be brought to it. */
  const made = (message: string, fields: object) => Object.assign(new Error(message), fields);

  const cases: [what: string, error: unknown, text: string, reason: string][] = [
    [
      'names what was done to which file',
      failureOf(() => readFileSync('/nowhere/file')),
      'open /nowhere/file: no such file or directory',
      'no such file or directory',
    ],
    [
      'has the words of the system',
      failureOf(() => readFileSync('/')),
      'read: is a directory',
      'is a directory',
    ],
    [
      'names both files',
      failureOf(() => renameSync('/nowhere/a', '/nowhere/b')),
      'rename /nowhere/a /nowhere/b: no such file or directory',
      'no such file or directory',
    ],
    [
      'has the name that operators know for the call',
      failureOf(() => readdirSync('/dev/null')),
      'open /dev/null: not a directory',
      'not a directory',
    ],
    [
      'says why a program does not start',
      spawnSync('/dev/null').error,
      'fork/exec /dev/null: permission denied',
      'permission denied',
    ],
    [
      'tells a full disk',
      made('ENOSPC: no space left on device, write', { code: 'ENOSPC', syscall: 'write' }),
      'write: no space left on device',
      'no space left on device',
    ],
    [
      'tells a file system that nobody may write to',
      made("EROFS: read-only file system, open '/ro/x'", { code: 'EROFS', syscall: 'open', path: '/ro/x' }),
      'open /ro/x: read-only file system',
      'read-only file system',
    ],
    [
      'tells a missing permission',
      made("EACCES: permission denied, open '/x'", { code: 'EACCES', syscall: 'open', path: '/x' }),
      'open /x: permission denied',
      'permission denied',
    ],
    [
      'is the message of a connection that failed',
      made('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED', syscall: 'connect' }),
      'connect ECONNREFUSED 127.0.0.1:1',
      'connect ECONNREFUSED 127.0.0.1:1',
    ],
    ['is the message of any other error', new Error('ENOENT: mine'), 'ENOENT: mine', 'ENOENT: mine'],
  ];
  for (const [what, error, text, reason] of cases) {
    it(what, () => {
      expect(errorText(error)).to.equal(text);
      expect(reasonText(error)).to.equal(reason);
    });
  }

  it('names a file that the error does not name', () => {
    expect(
      fileErrorText(
        failureOf(() => readFileSync('/')),
        '/',
      ),
    ).to.equal('read /: is a directory');
    expect(fileErrorText(new Error('mine'), '/')).to.equal('mine');
  });
});

describe('asError', () => {
  it('hands on an error, and makes one of anything else', () => {
    const error = new TypeError('wrong');
    expect(asError(error)).to.equal(error);
    expect(asError('a text')).to.be.instanceOf(Error).with.property('message', 'a text');
  });
});
