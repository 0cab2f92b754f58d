import { expect } from 'chai';
import { contextOf } from '../../../../src/net/http/named-contexts.ts';

describe('contextOf', () => {
  const contexts = new Map([
    ['foo.example', 'exact'],
    ['*.example', 'wildcard'],
    ['*', 'label'],
  ]);
  const cases = [
    ['foo.example', 'exact'],
    ['FOO.Example', 'exact'],
    ['bar.example', 'wildcard'],
    ['a.bar.example', undefined],
    ['localhost', 'label'],
  ] as const;
  for (const [name, found] of cases)
    it(`finds ${found ?? 'none'} for ${name}`, () => {
      expect(contextOf(contexts, name)).to.equal(found);
    });
});
