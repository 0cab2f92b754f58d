import { formatGroupVersion } from '../machinery/schema/index.ts';
import { UsageError } from './errors.ts';
import { defineVerb } from './verb.ts';

/** `ctl api-versions`. */
export const apiVersionsVerb = defineVerb({
  program: {
    name: 'ctl api-versions',
    summary: 'List the group versions that the server has',
    usage: '[flags]',
    options: [],
  },
  async run(ctl, { args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: [${args.join(' ')}]`);
    const { groups } = await (await ctl.discovery()).refresh();
    const versions = groups.flatMap((group) =>
      group.versions.map((version) => formatGroupVersion(group.name, version)),
    );
    ctl.io.stdout.write(
      versions
        .sort()
        .map((version) => `${version}\n`)
        .join(''),
    );
  },
});
