import { expect } from 'chai';
import fc from 'fast-check';
import { parseTarget } from '../../../../src/server/request/path.ts';

describe('parseTarget', () => {
  const cases: [target: string, path: string, segments: string[], query?: string][] = [
    ['/', '/', []],
    ['', '', []],
    ['/api', '/api', ['api']],
    ['/api/', '/api/', ['api']],
    ['/api/v1/pods', '/api/v1/pods', ['api', 'v1', 'pods']],
    ['/api//v1', '/api//v1', ['api', '', 'v1']],
    ['//', '//', []],
    ['//api/v1//pods//', '//api/v1//pods//', ['api', 'v1', '', 'pods']],
    ['/a?b=c', '/a', ['a'], 'b=c'],
    ['/a?', '/a', ['a'], ''],
    ['/a?b=/c?d', '/a', ['a'], 'b=%2Fc%3Fd'],
    ['/a?x=1&x=2', '/a', ['a'], 'x=1&x=2'],
    ['/a%20b', '/a b', ['a b']],
    ['/a%2Fb/c', '/a/b/c', ['a', 'b', 'c']],
    ['/a%2fb', '/a/b', ['a', 'b']],
    ['/%E2%82%AC', '/€', ['€']],
    ['/a?q=%', '/a', ['a'], ''],
    ['/a?q=%zz&r=1&%2=3&s=%41', '/a', ['a'], 'r=1&s=A'],
    ['/a?q=1&r=%3B&s&t=1;u', '/a', ['a'], 'q=1&r=%3B&s='],
    ['/..', '/..', ['..']],
    ['*', '*', ['*']],
  ];
  for (const [target, path, segments, query = ''] of cases) {
    it(`takes ${JSON.stringify(target)} apart`, () => {
      const parsed = parseTarget(target);
      expect(parsed?.path).to.equal(path);
      expect(parsed?.segments).to.deep.equal(segments);
      expect(parsed?.query.toString()).to.equal(query);
    });
  }

  for (const target of ['/%', '/%2', '/%zz', '/%ff', '/a/%C0%AF', '/ok/%e2%82']) {
    it(`refuses the broken escape of ${target}`, () => {
      expect(parseTarget(target)).to.equal(undefined);
    });
  }

  it('never fails, whatever a client sends', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const parsed = parseTarget(`/${text}`);
        if (parsed !== undefined) expect(parsed.segments).to.be.an('array');
      }),
    );
  });
});
