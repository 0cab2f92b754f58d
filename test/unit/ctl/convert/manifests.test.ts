import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { run } from '../support/run.ts';
import cases from './manifests/cases.json' with { type: 'json' };

/** Input, output or notices of a case; outputs are those of the conversion command of release 1.20 but for noise. */
const read = (name: string, file: string): string =>
  readFileSync(new URL(`./manifests/${name}/${file}`, import.meta.url), 'utf8');

const convert = (stdin: string, ...args: string[]) => run(['convert', '-f', '-', ...args], { stdin });

describe('ctl convert of the kept manifests', () => {
  for (const { name, args } of cases) {
    describe(name, () => {
      const output = read(name, 'output.txt');
      const notices = read(name, 'notices.txt');

      it('comes out as expected, and what matters is told', async () => {
        const result = await convert(read(name, 'input.yaml'), ...args);
        expect(result).to.deep.equal({ code: 0, out: output, err: notices });
      });

      it('stays as it is when it is converted again', async () => {
        expect((await convert(output, ...args)).out).to.equal(output);
      });

      it('has no empty noise', () => {
        expect(output).to.not.match(/creationTimestamp|^status:|: null$(?<!size: null)/m);
      });

      it('fails, and prints nothing, with --strict when anything needs attention', async () => {
        const { code, out } = await convert(read(name, 'input.yaml'), ...args, '--strict');
        expect({ code, isEmpty: out === '' }).to.deep.equal(
          notices.includes('Warning:') ? { code: 1, isEmpty: true } : { code: 0, isEmpty: false },
        );
      });
    });
  }

  // A version that adds a default says so; what it added does not go away again.
  const reversible = cases.filter(({ name }) => {
    const versions = new Set(read(name, 'input.yaml').match(/^apiVersion: .*$/gm));
    return (
      versions.size === 1 && name !== 'lists' && !/(not set;|instead$|lost)/m.test(read(name, 'notices.txt'))
    );
  });
  for (const { name, args } of reversible) {
    it(`brings ${name} back, and there again`, async () => {
      const [, from = ''] = /^apiVersion: (.*)$/m.exec(read(name, 'input.yaml')) ?? [];
      const output = read(name, 'output.txt');
      const back = await convert(output, `--output-version=${from}`);
      expect(back.code).to.equal(0);
      expect(back.out).to.match(new RegExp(`^apiVersion: ${from}$`, 'm'));
      expect((await convert(back.out, ...args)).out).to.equal(output);
    });
  }
});
