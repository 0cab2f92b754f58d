import type { Discovery } from '../apis/resources/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { methodNotAllowed, notFoundPath } from '../machinery/errors/index.ts';
import { metricsContentType } from '../net/metrics/index.ts';
import type { RemoteProxy } from './aggregation/index.ts';
import type { Auditor } from './audit/index.ts';
import type { RequestAuthenticator } from './authentication/index.ts';
import type { Authorizer } from './authorization/index.ts';
import type { Endpoints } from './build-endpoints.ts';
import { AggregatedDocuments, type AggregatedDocumentsOptions } from './discovery/aggregated-documents.ts';
import { chooseAggregated, respondAggregated } from './discovery/respond-aggregated.ts';
import type { Fairness } from './fairness/index.ts';
import { authentication } from './filters/authentication.ts';
import { authorization } from './filters/authorization.ts';
import { cors, type OriginTest } from './filters/cors.ts';
import { deadline } from './filters/deadline.ts';
import { goAway, recovery, requestLog } from './filters/endings.ts';
import { impersonation } from './filters/impersonation.ts';
import { type InFlightLimits, inFlight } from './filters/in-flight.ts';
import { noDryRun, readablePaths, upgradeOrigins } from './filters/refusals.ts';
import { dispatch, type SpecialHandlers } from './handlers/dispatch.ts';
import type { Endpoint } from './handlers/endpoint.ts';
import type { Health } from './health.ts';
import type { ServerMetrics } from './metrics.ts';
import { type Encodings, encodeValue } from './request/encode-value.ts';
import { composeFilters, type Exchange, type Handler } from './request/exchange.ts';
import type { RequestInfo } from './request/request-info.ts';
import { respond, respondPretty, respondText } from './request/respond.ts';

/** Everything that answers requests, already built. */
export interface ApiHandlerOptions extends Encodings {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly authenticator: RequestAuthenticator;
  readonly authorizer: Authorizer;
  readonly inFlightLimits: InFlightLimits;
  /** Shares the server among requests in place of these limits. */
  readonly fairness?: Fairness | undefined;
  readonly requestTimeoutMs: number;
  /** Origins that browsers may call from; none when left out. */
  readonly isOriginAllowed?: OriginTest | undefined;
  /** Share of requests after which an HTTP/2 client is asked to connect anew. */
  readonly goAwayChance: number;
  readonly random: () => number;
  /** Whether dry runs are allowed (feature `DryRun`). */
  readonly allowsDryRun: boolean;
  /** Records requests; nothing is recorded without. */
  readonly auditor?: Auditor | undefined;
  readonly metrics: ServerMetrics;
  readonly health: Health;
  readonly endpoints: Endpoints;
  /** As `ServedDefinitions` has it; asked for resources that there are not. */
  readonly catchUp: (resource: RequestInfo) => Promise<void> | undefined;
  readonly special: SpecialHandlers;
  /** Makes the discovery documents; asked once, when first needed. */
  readonly discovery: () => Discovery;
  /** What the aggregated documents are made from, beside the groups of discovery. */
  readonly aggregated: Omit<AggregatedDocumentsOptions, 'groups'>;
  /** Other paths: version, issuer documents. */
  readonly paths: ReadonlyMap<string, Handler>;
  /** Handlers of a path and all below it. */
  readonly subtrees: ReadonlyMap<string, Handler>;
  readonly unknownPath: (exchange: Exchange) => void;
  /** What other servers serve. */
  readonly remote: RemoteProxy;
}

/** The handler of all requests: the filters in order, then the handler of the path. */
export function createApiHandler(options: ApiHandlerOptions): Handler {
  const { logger, clock, metrics } = options;
  let documents: Discovery | undefined;
  const discovery = () => {
    documents ??= options.discovery();
    return documents;
  };
  const aggregated = new AggregatedDocuments({
    ...options.aggregated,
    groups: () => discovery().groups(),
  });
  const serving = { ...options, discovery, aggregated };
  const { auditor, remote } = options;
  const isRemote = ({ path }: Exchange): boolean => remote.find(path) !== undefined;
  return composeFilters(
    [
      requestLog(logger, () => clock.nowMs()),
      metrics.filter,
      ...(auditor === undefined ? [] : [auditor.end]),
      recovery(logger, options),
      ...(options.isOriginAllowed === undefined ? [] : [cors(options.isOriginAllowed)]),
      ...(options.goAwayChance > 0 ? [goAway(options.goAwayChance, options.random)] : []),
      deadline({ requestTimeoutMs: options.requestTimeoutMs, isRemote }),
      readablePaths,
      authentication({
        authenticator: options.authenticator,
        onOutcome: metrics.authentication.addOutcome,
        nowMs: () => clock.nowMs(),
      }),
      ...(auditor === undefined ? [] : [auditor.begin]),
      impersonation(options),
      options.fairness?.filter ?? inFlight(options.inFlightLimits, metrics),
      authorization(options.authorizer),
      upgradeOrigins(options.isOriginAllowed),
      ...(options.allowsDryRun ? [] : [noDryRun]),
    ],
    (exchange) => serve(exchange, serving),
  );
}

/** The same with what the handlers made of it. */
type Serving = Omit<ApiHandlerOptions, 'aggregated'> & { readonly aggregated: AggregatedDocuments };

async function serve(exchange: Exchange, options: Serving): Promise<void> {
  const { info } = exchange;
  const remoteApi = options.remote.find(exchange.path);
  if (remoteApi !== undefined) await options.remote.handle(exchange, remoteApi);
  else if (info.isResource) {
    // An empty name of a group is no other name of the one without a name.
    const isMisnamed = info.group === '' && exchange.path.startsWith('/apis/');
    // Who may ask is decided by what the path means, and what is served goes by how it is written.
    const isElsewhere = exchange.path.startsWith('//');
    const found = isMisnamed || isElsewhere ? undefined : findEndpoint(info, options);
    const endpoint = found instanceof Promise ? await found : found;
    if (endpoint === undefined) answerUnknown(exchange, options);
    else await dispatch(exchange, endpoint, options.special);
  } else await servePath(exchange, options);
}

/** Of a resource that another server of the store may have defined a moment ago, too. */
function findEndpoint(
  info: RequestInfo,
  { endpoints, catchUp }: Serving,
): Promise<Endpoint | undefined> | Endpoint | undefined {
  const endpoint = endpoints.find(info);
  return endpoint ?? catchUp(info)?.then(() => endpoints.find(info));
}

async function servePath(exchange: Exchange, options: Serving): Promise<void> {
  const path = exchange.path === '/' ? '/' : exchange.path.replace(/\/$/, '');
  if (options.health.serves(exchange.path)) return options.health.handle(exchange);
  const handler = options.paths.get(path);
  if (handler !== undefined) return handler(exchange);
  const document = options.discovery().get(path);
  const isRouted = !isUnrouted(path, options);
  if (document !== undefined && 'kind' in document && isRouted && exchange.method !== 'GET')
    throw methodNotAllowed();
  if (path === '/api' || path === '/apis') {
    const { accept } = exchange.request.headers;
    const form = chooseAggregated(accept, options.dialect.group('apidiscovery'));
    if (form !== undefined) return respondAggregated(exchange, options.aggregated, { root: path, form });
  }
  if (document !== undefined) return writeDiscovery(exchange, document, { ...options, isRouted });
  if (exchange.path === '/metrics') return writeMetrics(exchange, options.metrics);
  for (const [root, subtree] of options.subtrees)
    if (path === root || path.startsWith(`${root}/`)) return subtree(exchange);
  answerUnknown(exchange, options);
}

/** The list of groups, each group, and versions of custom resources come from no router: any method reads them. */
function isUnrouted(path: string, { discovery }: Serving): boolean {
  const [, root, group = '', version = ''] = path.split('/');
  return root === 'apis' && (version === '' || !discovery().hasBuiltIn(group));
}

/** What a known group does not have, a version or a resource, is a Status. */
function answerUnknown(exchange: Exchange, options: Serving): void {
  const [, root, group = ''] = exchange.path.split('/');
  const isOfGroup = root === 'apis' && group !== '' && options.discovery().hasBuiltIn(group);
  if (root === 'api' || isOfGroup) throw notFoundPath();
  options.unknownPath(exchange);
}

/** Plain discovery; no other form of these documents exists. The list of all paths is no kind, and comes as JSON in any case. */
async function writeDiscovery(
  exchange: Exchange,
  document: object,
  { negotiator, protobuf, isRouted }: Encodings & { readonly isRouted: boolean },
): Promise<void> {
  if (!('kind' in document)) return respondPretty(exchange, 200, document);
  const { accept } = exchange.request.headers;
  const representation = negotiator.choose(accept, { hasForms: false, hasRouter: isRouted });
  const { contentType } = representation;
  const body = encodeValue(exchange, representation, { value: document, protobuf });
  respond(exchange, { code: 200, contentType, body });
}

async function writeMetrics(exchange: Exchange, metrics: ServerMetrics): Promise<void> {
  if (exchange.method === 'DELETE') {
    metrics.reset();
    return respondText(exchange, 200, 'metrics reset\n');
  }
  const body = Buffer.from(await metrics.text());
  respond(exchange, { code: 200, contentType: metricsContentType, body });
}
