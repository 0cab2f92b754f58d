import { orchVersion } from './version.ts';

/** Release of the public API that is served. */
const apiMajor = '1';
const apiMinor = '20';
const apiPatch = '2';

/** Answer of `/version`; field order is the wire's. */
export function versionInfo(): Readonly<Record<string, string>> {
  return Object.freeze({
    major: apiMajor,
    minor: apiMinor,
    gitVersion: `v${apiMajor}.${apiMinor}.${apiPatch}+orch.${orchVersion}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  });
}
