import project from '../../package.json' with { type: 'json' };
import type { Dialect } from './dialect.ts';

/** Release of the public API that is served and spoken. */
export const apiRelease = { major: '1', minor: '20', version: 'v1.20.2' } as const;

/** The commit that the release was made of. */
const releaseCommit = 'faecb196815e248d3ecfb03c680a4507229c2a56';

/** The version of orch itself. */
export const orchVersion: string = project.version;

/**
 * What server and client say of their versions, in the order of the wire. In our own dialect the release of the API carries
 * the version of orch as build metadata (Semantic Versioning, section 10); clients of the other one compare `gitVersion`
 * and `gitCommit` with their own (`--match-server-version`), so that they are the release's there. `platform` is as `linux/amd64`.
 */
export function releaseInfo({ name }: Dialect, platform: string): Readonly<Record<string, string>> {
  const { major, minor, version: release } = apiRelease;
  return Object.freeze({
    major,
    minor,
    gitVersion: name === 'orch' ? `${release}+orch.${orchVersion}` : release,
    gitCommit: name === 'orch' ? '' : releaseCommit,
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform,
  });
}
