import { platformName } from '../base/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import { apiRelease, releaseInfo } from '../machinery/api-release.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { CtlError } from './errors.ts';

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

/** Fields of a version by their name on the wire. */
export type VersionInfo = Readonly<Record<string, string>>;

/** How this client introduces itself; `program` is its name in the dialect. */
export const userAgentOf = (program: string): string =>
  `${program}/${apiRelease.version} (${platformName()})`;

/** Makes sure that the server is of this client's version. @throws CtlError */
export async function requireSameVersion(
  client: RestClient,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<void> {
  const own: VersionInfo = releaseInfo(dialect, platformName());
  const server = await readServerVersion(client, signal);
  const compared = ['gitVersion', 'gitCommit', 'gitTreeState'];
  // What follows a plus sign says who built it, not which release it is.
  const plain = (text = '') => text.replace(/\+.*$/, '');
  if (compared.every((field) => plain(own[field]) === plain(server[field]))) return;
  const [left, right] = [formatVersion(server), formatVersion(own)];
  throw new CtlError(`server version (&${left}) differs from client version (${right})`);
}

/** What the server says of its version. @throws StatusError, TransportError */
export async function readServerVersion(client: RestClient, signal: AbortSignal): Promise<VersionInfo> {
  const answer = await client.json<Record<string, unknown>>({ method: 'GET', path: '/version', signal });
  return Object.fromEntries(fields.map(([name]) => [name, String(answer[name] ?? '')]));
}

/** A version in Go's notation, as release 1.20's client prints it. */
export function formatVersion(info: VersionInfo): string {
  return `version.Info{${fields.map(([name, shown]) => `${shown}:${JSON.stringify(info[name] ?? '')}`).join(', ')}}`;
}
