import { expect } from 'chai';
import { CtlError } from '../../../src/ctl/errors.ts';
import { readLocalFile } from '../../../src/ctl/read-file.ts';

describe('readLocalFile', () => {
  const cases: [path: string, text: string][] = [
    ['/nowhere/file', 'open /nowhere/file: no such file or directory'],
    ['/', 'read /: is a directory'],
    ['/dev/null/file', 'open /dev/null/file: not a directory'],
  ];
  for (const [path, text] of cases) {
    it(`says why ${path} cannot be read, in the words of the system`, () => {
      expect(() => readLocalFile(path)).to.throw(CtlError, text);
    });
  }
});
