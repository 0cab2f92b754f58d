import { apiRelease } from '../machinery/api-release.ts';
import { platformName } from './client-version.ts';
import type { Ctl } from './ctl.ts';
import { CtlError } from './errors.ts';
import { defineVerb } from './verb.ts';

/** Fields of a version, in the order in which they are shown, with their names in Go's notation. */
const fields = [
  ['major', 'Major'],
  ['minor', 'Minor'],
  ['gitVersion', 'GitVersion'],
  ['gitCommit', 'GitCommit'],
  ['gitTreeState', 'GitTreeState'],
  ['buildDate', 'BuildDate'],
  ['goVersion', 'GoVersion'],
  ['compiler', 'Compiler'],
  ['platform', 'Platform'],
] as const;

type VersionInfo = Readonly<Record<string, string>>;

/** `ctl version`. */
export const versionVerb = defineVerb({
  program: {
    name: 'ctl version',
    summary: 'Print the versions of client and server',
    usage: '[flags]',
    options: [
      { name: 'client', type: 'bool', section: 'Selection', help: 'Print the version of the client only.' },
      { name: 'short', type: 'bool', section: 'Output', help: 'Print the numbers only.' },
      { name: 'output', short: 'o', type: 'string', section: 'Output', help: 'json or yaml.' },
    ],
  },
  async run(ctl, { options }) {
    const { output = '' } = options;
    if (!['', 'json', 'yaml'].includes(output)) throw new CtlError(`--output must be 'yaml' or 'json'`);
    const { stdout } = ctl.io;
    const client = clientVersion();
    let server: VersionInfo | undefined;
    let failure: unknown;
    try {
      server = options.client ? undefined : await readServerVersion(ctl);
    } catch (error) {
      failure = error; // the client's version is worth printing all the same
    }
    if (output === '') {
      const format = (info: VersionInfo) => (options.short ? (info.gitVersion ?? '') : formatGo(info));
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

function clientVersion(): VersionInfo {
  return {
    major: apiRelease.major,
    minor: apiRelease.minor,
    gitVersion: apiRelease.version,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: platformName(),
  };
}

async function readServerVersion(ctl: Ctl): Promise<VersionInfo> {
  const client = await ctl.client();
  const answer = await client.json<Record<string, unknown>>({
    method: 'GET',
    path: '/version',
    signal: ctl.io.signal,
  });
  return Object.fromEntries(fields.map(([name]) => [name, String(answer[name] ?? '')]));
}

function formatGo(info: VersionInfo): string {
  return `version.Info{${fields.map(([name, shown]) => `${shown}:${JSON.stringify(info[name] ?? '')}`).join(', ')}}`;
}
