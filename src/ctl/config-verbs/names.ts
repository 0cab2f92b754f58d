import { defineVerb } from '../verb.ts';
import { loadMerged } from './files.ts';

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
