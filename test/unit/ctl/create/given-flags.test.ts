import { expect } from 'chai';
import { run } from '../support/run.ts';

const create = (...words: string[]) => run(['create', ...words, '--dry-run=client', '-o', 'name']);

const required = [
  { words: ['deployment', 'x'], flags: ['image'] },
  { words: ['cronjob', 'x'], flags: ['image', 'schedule'] },
  { words: ['clusterrolebinding', 'x'], flags: ['clusterrole'] },
  { words: ['service', 'externalname', 'x'], flags: ['external-name'] },
];

describe('what `create` asks for', () => {
  for (const { words, flags } of required) {
    it(`${words.join(' ')}: every flag, and names all that are missing`, async () => {
      const names = flags.map((flag) => JSON.stringify(flag)).join(', ');
      const { code, out, err } = await create(...words);
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.include(`required flag(s) ${names} not set`);
    });

    it(`${words.join(' ')}: a flag that is given without a value is given`, async () => {
      const { err } = await create(...words, ...flags.map((flag) => `--${flag}=`));
      expect(err).not.to.include('required flag(s)');
    });
  }

  it('refuses an empty name of any kind', async () => {
    for (const kind of ['namespace', 'configmap', 'serviceaccount', 'quota']) {
      expect(await create(kind, ''), kind).to.deep.include({
        code: 1,
        out: '',
        err: 'error: name must be specified\n',
      });
    }
  });
});

describe('`create --append-hash`', () => {
  // Written by release 1.20.2's client.
  const names: Readonly<Record<string, readonly string[]>> = {
    'secret/X-md7thcbkfg': ['secret', 'generic', 'X'],
    'secret/X-9bc544dcbh': ['secret', 'generic', 'X', '--type=Opaque'],
    'secret/X-dkbk7g7564': ['secret', 'generic', 'X', '--from-literal=a=b'],
    'configmap/X-5d9gdh92b5': ['configmap', 'X'],
    'configmap/X-cc5fc42tbk': ['configmap', 'X', '--from-literal=a=b'],
  };
  for (const [name, words] of Object.entries(names)) {
    it(`calls what ${words.join(' ')} makes ${name}`, async () => {
      expect((await create(...words, '--append-hash')).out).to.equal(`${name}\n`);
    });
  }
});
