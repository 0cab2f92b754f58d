import type { ConfigSection } from '../../client/config/index.ts';
import { UnknownNameError, UsageError } from '../errors.ts';
import { defineVerb, type Verb } from '../verb.ts';
import { edit, fileOf, loadMerged } from './files.ts';

/** `ctl config delete-context`. */
export const deleteContextVerb: Verb = removeVerb('contexts', 'context');
/** `ctl config delete-cluster`. */
export const deleteClusterVerb: Verb = removeVerb('clusters', 'cluster');
/** `ctl config delete-user`. */
export const deleteUserVerb: Verb = removeVerb('users', 'user');

function removeVerb(section: ConfigSection, what: string): Verb {
  return defineVerb({
    program: {
      name: `ctl config delete-${what}`,
      summary: `Delete a ${what} of the configuration`,
      usage: 'NAME',
      options: [],
    },
    async run(ctl, { args }) {
      const [name] = args;
      if (name === undefined || args.length > 1)
        throw new UsageError(`exactly one ${what} name is required, got ${args.length}`);
      const config = await loadMerged(ctl);
      const file = await fileOf(ctl, section, name);
      if (!config[section].has(name)) {
        const text = `cannot delete ${what} ${name}, not in ${file}`;
        throw new UnknownNameError(text, name, config[section].keys());
      }
      if (section === 'contexts' && config.currentContext === name) {
        ctl.io.stderr.write(
          'warning: this removed your active context, use "ctl config use-context" to select a different one\n',
        );
      }
      await edit(file, { kind: 'remove', section, name });
      ctl.io.stdout.write(`deleted ${what} ${name} from ${file}\n`);
    },
  });
}

/** `ctl config get-clusters`. */
export const getClustersVerb = defineVerb({
  program: { name: 'ctl config get-clusters', summary: 'List the clusters', usage: '', options: [] },
  async run(ctl) {
    const { clusters } = await loadMerged(ctl);
    ctl.io.stdout.write(formatNames([...clusters.keys()]));
  },
});

/** `ctl config get-users`. */
export const getUsersVerb = defineVerb({
  program: { name: 'ctl config get-users', summary: 'List the users', usage: '', options: [] },
  async run(ctl) {
    const { users } = await loadMerged(ctl);
    ctl.io.stdout.write(formatNames([...users.keys()]));
  },
});

function formatNames(names: readonly string[]): string {
  return ['NAME', ...[...names].sort()].map((name) => `${name}\n`).join('');
}
