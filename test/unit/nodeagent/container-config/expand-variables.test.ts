import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  ContainerConfigError,
  expandCommand,
  expandVariables,
  maxExpandedLength,
} from '../../../../src/nodeagent/container-config/index.ts';
import { containerOf } from './pods.ts';

const values = new Map([
  ['A', 'one'],
  ['B', '2 3'],
  ['R', '$(A)'],
]);
const resolve = (name: string): string => values.get(name) ?? `$(${name})`;

/** The rules once more, as a scanner of characters. */
function expandSlowly(text: string): string {
  if (text === '' || text === '$') return text;
  if (text[0] !== '$') return text[0] + expandSlowly(text.slice(1));
  if (text[1] === '$') return `$${expandSlowly(text.slice(2))}`;
  const reference = /^\$\(([^)]*)\)/.exec(text);
  if (reference) return resolve(reference[1] ?? '') + expandSlowly(text.slice(reference[0].length));
  return text.slice(0, 2) + expandSlowly(text.slice(2));
}

describe('expandVariables', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['$(A)', 'one'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$one'],
    ['$$$$', '$$'],
    ['$(NOPE)', '$(NOPE)'],
    ['$(A)-$(B)', 'one-2 3'],
    ['x$(B)y', 'x2 3y'],
    ['$(A', '$(A'],
    ['$(A$(B)', '$(A$(B)'],
    ['$', '$'],
    ['a$', 'a$'],
    ['$x$(A)', '$xone'],
    ['$()', '$()'],
    ['$(R)', '$(A)'],
    ['', ''],
  ];
  for (const [text, expected] of cases) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () => {
      expect(expandVariables(text, resolve)).to.equal(expected);
    });
  }

  it('does as a scanner of single characters does', () => {
    const text = fc.array(fc.constantFrom('$', '(', ')', 'A', 'B', 'R', 'é', ' ')).map((all) => all.join(''));
    fc.assert(
      fc.property(text, (given) => {
        expect(expandVariables(given, resolve)).to.equal(expandSlowly(given));
      }),
    );
  });

  it('gives any text back whose dollars are doubled', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(expandVariables(text.replaceAll('$', '$$$$'), resolve)).to.equal(text);
      }),
    );
  });

  it('takes linear time for openings that never close', () => {
    const text = '$('.repeat(500_000);
    expect(expandVariables(text, resolve)).to.equal(text);
  });

  it('refuses results that are too long', () => {
    const long = 'x'.repeat(maxExpandedLength / 2);
    const double = () => expandVariables('$(L)$(L)x', () => long);
    expect(double).to.throw(ContainerConfigError, 'too long');
  });
});

describe('expandCommand', () => {
  it('replaces references in command and arguments, as recorded', () => {
    const container = containerOf({
      command: ['echo', '$(A)', '$$(A)', '$(NOPE)', '$(A)-$(B)'],
      args: ['x$(B)y', '$(A', '$'],
    });
    const environment = [
      { name: 'A', value: 'one' },
      { name: 'B', value: '2 3' },
    ];
    expect(expandCommand(container, environment)).to.deep.equal({
      command: ['echo', 'one', '$(A)', '$(NOPE)', 'one-2 3'],
      args: ['x2 3y', '$(A', '$'],
    });
  });

  it('bounds all of them together', () => {
    const environment = [{ name: 'L', value: 'x'.repeat(maxExpandedLength / 2) }];
    expect(() => expandCommand({ command: ['$(L)', '$(L)'], args: ['$(L)'] }, environment)).to.throw(
      'too long',
    );
  });
});
