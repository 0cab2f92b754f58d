import { expect } from 'chai';
import { parseLogOptions } from '../../../../src/nodeagent/api/logs/log-options.ts';

const nowMs = Date.parse('2026-11-21T10:00:00Z');
const parse = (query: string) => parseLogOptions(new URLSearchParams(query), nowMs);
const none = {
  follow: false,
  previous: false,
  timestamps: false,
  tailLines: undefined,
  limitBytes: undefined,
  sinceMs: undefined,
};

describe('parseLogOptions', () => {
  it('wants the whole log when nothing is said', () => {
    expect(parse('')).to.deep.equal(none);
  });

  it('reads every option', () => {
    expect(
      parse('follow=true&previous=1&timestamps=yes&tailLines=3&limitBytes=9&sinceSeconds=60'),
    ).to.deep.equal({
      follow: true,
      previous: true,
      timestamps: true,
      tailLines: 3,
      limitBytes: 9,
      sinceMs: nowMs - 60_000,
    });
    expect(parse('sinceTime=2026-11-21T09:00:00%2B01:00')).to.deep.equal({
      ...none,
      sinceMs: Date.parse('2026-11-21T08:00:00Z'),
    });
  });

  it('takes the old name of the number of lines first', () => {
    expect(parse('tail=7&tailLines=3')).to.deep.equal({ ...none, tailLines: 7 });
    expect(parse('tail=all&tailLines=3')).to.deep.equal(none);
  });

  it('takes everything but false and 0 for true', () => {
    for (const text of ['false', 'FALSE', '0']) expect(parse(`follow=${text}`)).to.deep.equal(none);
    for (const text of ['', 'x', '1'])
      expect(parse(`follow=${text}`)).to.deep.equal({ ...none, follow: true });
  });

  const refused: readonly (readonly [query: string, problem: string])[] = [
    ['tailLines=x', 'undecodable'],
    ['tailLines=', 'undecodable'],
    ['limitBytes=1.5', 'undecodable'],
    ['sinceSeconds=1e3', 'undecodable'],
    ['sinceTime=yesterday', 'undecodable'],
    ['sinceTime=2026-11-21', 'undecodable'],
    ['tailLines=-1', 'invalid'],
    ['limitBytes=0', 'invalid'],
    ['sinceSeconds=0', 'invalid'],
    ['sinceSeconds=1&sinceTime=2026-11-21T09:00:00Z', 'invalid'],
  ];
  for (const [query, problem] of refused) {
    it(`finds ${query} ${problem}`, () => {
      expect(parse(query)).to.equal(problem);
    });
  }
});
