import { expect } from 'chai';
import { parseFileSpec } from '../../../../src/ctl/cp/file-spec.ts';

describe('parseFileSpec', () => {
  const good: readonly (readonly [string, object])[] = [
    ['a/b', { pod: '', namespace: '', file: 'a/b' }],
    ['web:/x', { pod: 'web', namespace: '', file: '/x' }],
    ['ns/web:x:y', { pod: 'web', namespace: 'ns', file: 'x:y' }],
    ['web:', { pod: 'web', namespace: '', file: '' }],
  ];
  for (const [text, expected] of good) {
    it(`reads ${text}`, () => expect(parseFileSpec(text)).to.deep.equal(expected));
  }
  for (const text of [':x', 'a/b/c:x']) {
    it(`refuses ${text}`, () => {
      expect(() => parseFileSpec(text)).to.throw(
        'filespec must match the canonical format: [[namespace/]pod:]file/path',
      );
    });
  }
});
