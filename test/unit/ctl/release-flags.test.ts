import { expect } from 'chai';
import { globalOptions } from '../../../src/ctl/options/global.ts';
import type { Verb } from '../../../src/ctl/verb.ts';
import { verbs } from '../../../src/ctl/verbs.ts';
// Names of commands and flags of the client of release 1.20. Source: its reference documentation.
import release from './release-flags.json' with { type: 'json' };

/** What is not there, on purpose. */
const missing: Readonly<Record<string, string>> = {
  alpha: 'it holds a deprecated name of debug only',
  'run --filename': 'has no effect there, and would name objects that are not made',
  'run --kustomize': 'the same',
  'run --recursive': 'the same',
  'wait --local': 'objects that are only in a file do not change',
};

/** Names that the product has in the place of those of the release. */
const ours: Readonly<Record<string, string>> = { kubeconfig: 'orchconfig' };

describe('commands and flags', () => {
  const flags = new Map<string, readonly string[]>();
  before(async () => {
    const add = async (name: string, verb: Verb): Promise<void> => {
      flags.set(
        name,
        verb.program.options.map((option) => option.name),
      );
      for (const [below, load] of Object.entries(verb.subverbs ?? {}))
        await add(`${name} ${below}`, await load());
    };
    for (const [name, entry] of Object.entries(verbs)) await add(name, await entry.load());
  });

  it('are those of the release, but for what is left out on purpose', () => {
    const shared = globalOptions.map(({ name }) => name as string);
    const absent = release.everywhere.filter((flag) => !shared.includes(ours[flag] ?? flag));
    for (const [command, expected] of Object.entries(release.commands)) {
      const known = flags.get(command);
      if (known === undefined) absent.push(command);
      else {
        const unknown = expected.filter((flag) => !known.includes(flag) && !shared.includes(flag));
        absent.push(...unknown.map((flag) => `${command} --${flag}`));
      }
    }
    expect(absent.toSorted()).to.deep.equal(Object.keys(missing).toSorted());
  });
});
