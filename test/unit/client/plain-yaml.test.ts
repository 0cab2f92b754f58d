import { expect } from 'chai';
import fc from 'fast-check';
import { CORE_SCHEMA, dump, load } from 'js-yaml';
import { readPlainYaml } from '../../../src/client/config/plain-yaml.ts';

/** What the library makes of a text; undefined where it finds fault with it. */
function loadOrRefuse(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch {
    return undefined;
  }
}

describe('readPlainYaml', () => {
  it('reads configurations as orch and other programs write them', () => {
    const config = {
      apiVersion: 'v1',
      clusters: [
        {
          cluster: { 'certificate-authority-data': 'LS0tLS1CRUd+/=', server: 'https://[::1]:6443' },
          name: 'a',
        },
        { cluster: { server: 'https://127.0.0.1:6443' }, name: 'b' },
      ],
      contexts: [{ context: { cluster: 'a', namespace: 'x-y', user: 'u@a.example' }, name: 'a' }],
      'current-context': 'a',
      kind: 'Config',
      preferences: {},
      users: [{ name: 'u@a.example', user: { exec: { args: [], command: '/bin/id', env: null } } }],
    };
    for (const seqNoIndent of [true, false]) {
      const text = dump(config, { lineWidth: -1, seqNoIndent, noRefs: true });
      const plain = text.replace('env: null', 'env:');
      expect(readPlainYaml(plain), plain).to.deep.equal(config);
    }
  });

  it('leaves to the library what is not plain, or wrong', () => {
    const texts = [
      '',
      'a: 1',
      'a: true',
      'Null: a',
      'a: b # c',
      'a: b c',
      'a: &x b',
      'a: |\n  b',
      'a: {b: c}',
      'a: "\\n"',
      'a: b\n  c',
      'a: b\na: c',
      'a: b: c',
      'a:\n    b: c\n  d: e',
      '- a\nb: c',
      '- - a',
      '---\na: b',
      'a: b\r\n',
      '\ta: b',
      ' a: b',
      'a: \u00e4',
      '__proto__: a',
    ];
    for (const text of texts) expect(readPlainYaml(text), JSON.stringify(text)).to.equal(undefined);
  });

  it('never reads anything else than the library does', () => {
    const word = fc.constantFrom(
      'a',
      'b',
      'key',
      'null',
      'x:y',
      'x[y]',
      '/p',
      '1',
      '',
      '"q r"',
      "'s'",
      '{}',
      '[]',
      'k:',
      '- a',
      '-',
      '#',
    );
    const line = fc
      .tuple(fc.nat({ max: 5 }), fc.constantFrom('', '- '), fc.constantFrom('', 'a: ', 'b:', 'c: '), word)
      .map(([indent, dash, key, value]) => `${' '.repeat(indent)}${dash}${key}${value}`);
    let read = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const text = lines.join('\n');
        const plain = readPlainYaml(text);
        if (plain === undefined) return;
        read++;
        expect(plain, text).to.deep.equal(loadOrRefuse(text));
      }),
      { numRuns: 20_000 },
    );
    expect(read).to.be.greaterThan(100);
  });
});
