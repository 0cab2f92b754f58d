import type { CustomDirectory } from '../apis/customs/index.ts';
import { type Clock, createSystemSlices, platformName } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { orchVersion, releaseInfo } from '../machinery/api-release.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { Stores } from '../registry/index.ts';
import type { RemoteDocuments } from '../server/aggregation/index.ts';
import { createVersionHandler, type Handler } from '../server/index.ts';
import { createIssuerHandlers } from '../server/issuer/index.ts';
import type { CustomSource, DocumentStoreOptions } from '../server/openapi/index.ts';
import type { ApiModel } from './api-model.ts';
import type { TokenTrust } from './service-account-tokens.ts';

/** What the documents beside the API are made from. */
export interface ApiPathSources {
  readonly config: Pick<ServeConfig, 'serviceAccountJwksUri'>;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly tokens: TokenTrust;
  /** What other servers say of the groups that they serve here. */
  readonly remoteDocuments: RemoteDocuments;
  /** `host:port` that the token issuer's documents name. */
  readonly advertised: () => string;
}

/** Where the OpenAPI document is, and the index of those of single versions, which are below it. */
const openApiPaths = { v2: '/openapi/v2', v3: '/openapi/v3' } as const;

/**
 * Handlers of the documents beside the API, by path: versions, OpenAPI, token issuer; and those of everything below a path.
 * Requests that they do not know go to `unknown`.
 */
export function createPathHandlers(
  sources: ApiPathSources,
  unknown: Handler,
): { readonly paths: Iterable<readonly [string, Handler]>; readonly subtrees: ReadonlyMap<string, Handler> } {
  const { config, model, tokens, advertised } = sources;
  let loaded: Promise<OpenApiHandlers> | undefined;
  /** Loaded with the first request: 2 MB. */
  const openApi =
    (version: keyof OpenApiHandlers): Handler =>
    async (exchange) => {
      loaded ??= loadOpenApi(sources, unknown);
      return (await loaded)[version](exchange);
    };
  return {
    paths: [
      ['/version', createVersionHandler(() => versionInfo(model.dialect))],
      [openApiPaths.v2, atExactly(openApiPaths.v2, openApi('v2'), unknown)],
      ...(hasIssuer(model)
        ? createIssuerHandlers({
            ...tokens,
            serverUrl: () => `https://${advertised()}`,
            keySetUrl: config.serviceAccountJwksUri,
          })
        : []),
    ],
    subtrees: new Map([[openApiPaths.v3, openApi('v3')]]),
  };
}

/** For a path that is another one with a slash behind it. */
const atExactly =
  (path: string, handler: Handler, unknown: Handler): Handler =>
  (exchange) =>
    exchange.path === path ? handler(exchange) : unknown(exchange);

const hasIssuer = ({ gates }: ApiModel): boolean => gates.has('ServiceAccountIssuerDiscovery');

type OpenApiHandlers = Readonly<Record<keyof typeof openApiPaths, Handler>>;

async function loadOpenApi(sources: ApiPathSources, unknown: Handler): Promise<OpenApiHandlers> {
  const { createOpenApiHandler, createOpenApiV3Handler, DocumentStore, GroupVersionStore } = await import(
    '../server/openapi/index.ts'
  );
  const options = describeOpenApi(sources);
  return {
    v2: createOpenApiHandler(new DocumentStore(options)),
    v3: createOpenApiV3Handler(new GroupVersionStore(options), {
      root: openApiPaths.v3,
      nowMs: options.nowMs,
      unknown,
    }),
  };
}

/** What the OpenAPI documents are made from; they are built when a client first asks for them. */
function describeOpenApi({
  model,
  clock,
  stores: { served },
  remoteDocuments,
}: ApiPathSources): DocumentStoreOptions {
  const { dialect, table } = model;
  const slices = createSystemSlices();
  return {
    sources: () => ({
      table,
      hasIssuer: hasIssuer(model),
      info: { title: dialect.spell('Orch'), version: String(versionInfo(dialect).gitVersion) },
      returnsDeleted({ group, version, resource }) {
        const rules = served.get(`${group}/${version}/${resource}`)?.store.rules;
        return rules?.answersDeletion === 'object' || rules?.gracePeriodSeconds !== undefined;
      },
    }),
    revision: () => `${model.customs.revision} ${remoteDocuments.revision}`,
    customSources: () => customSources(model.customs),
    remoteSources: () => remoteDocuments.sources(),
    // Looks at the clock after each piece: a definition or path takes up to half a millisecond.
    beginSlice: () => slices.begin(1),
    nowMs: () => clock.nowMs(),
  };
}

/** The versions of custom resources, as the documents tell of them. */
function* customSources(customs: CustomDirectory): Generator<CustomSource> {
  for (const kind of customs.kinds.values()) {
    const { uid, generation, isTerminating, hasStructure } = kind.outline;
    for (const { group, version } of kind.shownResources()) {
      yield {
        group,
        version,
        key: `${uid} ${generation} ${version} ${isTerminating} ${hasStructure}`,
        read: () => kind.publish(version),
      };
    }
  }
}

/** Answer of `/version`. Where `gitVersion` is a release, the version of this program has a field of its own. */
function versionInfo(dialect: Dialect): Readonly<Record<string, string>> {
  const info = releaseInfo(dialect, platformName());
  return dialect.name === 'orch' ? info : Object.freeze({ ...info, orchVersion });
}
