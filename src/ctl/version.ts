import { platformName } from '../base/index.ts';
import { releaseInfo } from '../machinery/api-release.ts';
import { formatVersion, readServerVersion, type VersionInfo } from './client-version.ts';
import { UnknownNameError } from './errors.ts';
import { defineVerb } from './verb.ts';

/** `ctl version`. */
export const versionVerb = defineVerb({
  program: {
    name: 'ctl version',
    summary: 'Print the versions of client and server',
    usage: '[flags]',
    options: [
      { name: 'client', type: 'bool', section: 'Selection', help: 'Print the version of the client only.' },
      { name: 'short', type: 'bool', section: 'Output', help: 'Print the numbers only.' },
      {
        name: 'output',
        short: 'o',
        type: 'string',
        suggested: ['json', 'yaml'],
        section: 'Output',
        help: 'json or yaml.',
      },
    ],
  },
  async run(ctl, { options }) {
    const { output = '' } = options;
    if (!['', 'json', 'yaml'].includes(output))
      throw new UnknownNameError(`--output must be 'yaml' or 'json'`, output, ['yaml', 'json']);
    const { stdout } = ctl.io;
    const client = releaseInfo(ctl.dialect, platformName());
    let server: VersionInfo | undefined;
    let failure: unknown;
    try {
      server = options.client ? undefined : await readServerVersion(await ctl.client(), ctl.io.signal);
    } catch (error) {
      failure = error; // the client's version is worth printing all the same
    }
    if (output === '') {
      const format = (info: VersionInfo) => (options.short ? (info.gitVersion ?? '') : formatVersion(info));
      stdout.write(`Client Version: ${format(client)}\n`);
      if (server !== undefined) stdout.write(`Server Version: ${format(server)}\n`);
    } else {
      const both = { clientVersion: client, ...(server === undefined ? {} : { serverVersion: server }) };
      stdout.write(
        output === 'json'
          ? `${JSON.stringify(both, undefined, 2)}\n`
          : (await import('../machinery/codec/index.ts')).writeYaml(both),
      );
    }
    if (failure !== undefined) throw failure;
  },
});
