import { type Clock, createSystemSlices } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { formatGroupVersion } from '../machinery/schema/index.ts';
import type { Stores } from '../registry/index.ts';
import { createVersionHandler, type Handler } from '../server/index.ts';
import { createIssuerHandlers } from '../server/issuer/index.ts';
import {
  createOpenApiHandler,
  createOpenApiV3Handler,
  DocumentStore,
  type DocumentStoreOptions,
  GroupVersionStore,
  openApiPath,
  openApiV3Path,
} from '../server/openapi/index.ts';
import type { ApiModel } from './api-model.ts';
import type { TokenTrust } from './service-account-tokens.ts';
import { orchVersion } from './version.ts';

/** Release of the public API that is served. */
const apiMajor = '1';
const apiMinor = '20';
const apiPatch = '2';

/** What the documents beside the API are made from. */
export interface ApiPathSources {
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly tokens: TokenTrust;
  /** `host:port` that the token issuer's documents name. */
  readonly advertised: () => string;
}

/**
 * Handlers of the documents beside the API, by path: versions, OpenAPI, token issuer; and those of everything below a path.
 * Requests that they do not know go to `unknown`.
 */
export function createPathHandlers(
  sources: ApiPathSources,
  unknown: Handler,
): { readonly paths: Iterable<readonly [string, Handler]>; readonly subtrees: ReadonlyMap<string, Handler> } {
  const { model, tokens, advertised, clock } = sources;
  const openApi = describeOpenApi(sources);
  const versions = new GroupVersionStore(openApi);
  return {
    paths: [
      ['/version', createVersionHandler(() => versionInfo(model.dialect))],
      [openApiPath, createOpenApiHandler(new DocumentStore(openApi))],
      ...(model.gates.has('ServiceAccountIssuerDiscovery')
        ? createIssuerHandlers({ ...tokens, serverUrl: () => `https://${advertised()}` })
        : []),
    ],
    subtrees: new Map([
      [openApiV3Path, createOpenApiV3Handler(versions, { nowMs: () => clock.nowMs(), unknown })],
    ]),
  };
}

/** What the OpenAPI documents are made from; they are built when a client first asks for them. */
function describeOpenApi({ model, clock, stores: { served } }: ApiPathSources): DocumentStoreOptions {
  const { dialect, table } = model;
  const slices = createSystemSlices();
  return {
    sources: () => ({
      table,
      info: { title: dialect.spell('Orch'), version: String(versionInfo(dialect).gitVersion) },
      returnsDeleted({ group, version, resource }) {
        const rules = served.get(`${formatGroupVersion(group, version)}/${resource}`)?.store.rules;
        return rules?.returnsDeletedObject === true || rules?.gracePeriodSeconds !== undefined;
      },
    }),
    revision: () => 0,
    // Looks at the clock after each piece: a definition or path takes up to half a millisecond.
    beginSlice: () => slices.begin(1),
    nowMs: () => clock.nowMs(),
  };
}

/**
 * Answer of `/version`; field order is the wire's. Clients of the other dialect compare `gitVersion` with releases, so
 * that it is one there, and the version of this program has a field of its own.
 */
function versionInfo({ name }: Dialect): Readonly<Record<string, string>> {
  const release = `v${apiMajor}.${apiMinor}.${apiPatch}`;
  const isOwn = name === 'orch';
  return Object.freeze({
    major: apiMajor,
    minor: apiMinor,
    gitVersion: isOwn ? `${release}+orch.${orchVersion}` : release,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
    ...(isOwn ? {} : { orchVersion }),
  });
}
