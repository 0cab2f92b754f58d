import { Readable } from 'node:stream';
import { appsRules } from '../../../src/apis/apps/index.ts';
import { createTypeCatalog } from '../../../src/apis/catalog.ts';
import { coreRules } from '../../../src/apis/core/index.ts';
import { podRulesTable } from '../../../src/apis/core/pod-index.ts';
import { createDefaulter } from '../../../src/apis/defaults/index.ts';
import { createFieldLabels } from '../../../src/apis/fields/index.ts';
import type { KindRulesTable, UserInfo } from '../../../src/apis/kind-rules.ts';
import { policyRules } from '../../../src/apis/policy/index.ts';
import { createResourceTable } from '../../../src/apis/resources/index.ts';
import { createTablePrinters } from '../../../src/apis/tables/index.ts';
import { standardFinalizers } from '../../../src/apis/validation/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import type { AnyRequest, AnyResponse } from '../../../src/net/http/index.ts';
import { admitsAll, buildStores, kindKey, type Stores } from '../../../src/registry/index.ts';
import { alwaysAllow } from '../../../src/server/authorization/index.ts';
import { buildEndpoints } from '../../../src/server/build-endpoints.ts';
import { createDeprecationNotice } from '../../../src/server/handlers/deprecation.ts';
import { dispatch, type SpecialHandlers } from '../../../src/server/handlers/dispatch.ts';
import { ProtobufFrames } from '../../../src/server/handlers/protobuf-frames.ts';
import type { Exchange } from '../../../src/server/request/exchange.ts';
import { parseTarget } from '../../../src/server/request/path.ts';
import { parseRequestInfo } from '../../../src/server/request/request-info.ts';
import { respondError } from '../../../src/server/request/respond.ts';
import { createPiecePool } from '../../../src/server/streaming/piece-pool.ts';
import { createWatchDelivery } from '../../../src/server/streaming/watch-delivery.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { openWatchCache } from '../../../src/storage/watch-cache/index.ts';
import { defaultGates } from '../../support/default-gates.ts';
import { encodings } from '../../support/encodings.ts';

/** An administrator, for requests that do not care who asks. */
export const admin: UserInfo = {
  name: 'admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** A request to the bench. */
export interface BenchRequest {
  /** JSON body; a string is sent as it is. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly user?: UserInfo;
}

/** What came back. */
export interface BenchAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely
  readonly body: Record<string, any>;
  readonly text: string;
}

/** Resources and handlers over memory, without filters and listener. */
export interface ApiBench extends AsyncDisposable {
  readonly stores: Stores;
  readonly storage: Storage;
  send(method: string, target: string, request?: BenchRequest): Promise<BenchAnswer>;
}

const rules: KindRulesTable = { ...coreRules, ...podRulesTable, ...appsRules, ...policyRules };
const dialect = orchDialect;
const catalog = createTypeCatalog(dialect);
/** Time of every request. */
export const nowMs = Date.parse('2021-02-03T04:05:06Z');

/** Opens a bench whose special handlers are made for its stores. */
export async function openApiBench(
  special: (bench: { readonly stores: Stores; readonly storage: Storage }) => Partial<SpecialHandlers>,
  { gates = defaultGates() }: { readonly gates?: ReadonlySet<string> } = {},
): Promise<ApiBench> {
  const storage = openMemoryStorage();
  const watchCache = await openWatchCache({ storage, root: '/registry/' });
  const full = createResourceTable({ dialect, gates });
  const resources = full.resources.filter(
    ({ storage: kind }) => kind === undefined || kindKey(dialect, kind) in rules,
  );
  const table = { ...full, resources };
  let uids = 0;
  const stores = buildStores(table, {
    recordsOwners: true,
    dialect,
    catalog,
    protobuf: encodings.protobuf,
    rules,
    storage,
    watchCache,
    admission: admitsAll,
    environment: {
      nowMs: () => nowMs,
      newUid: () => `uid-${++uids}`,
      newNameSuffix: () => 'abcde',
      standardFinalizers: standardFinalizers(dialect),
      ruleContext: { dialect, catalog, gates, allowsPrivileged: true },
    },
    root: '/registry/',
    allocators: new Map(),
    conversions: new Map(),
    settled: new Map(),
    applyDefaults: createDefaulter({ dialect, catalog, gates }),
  });
  const context = {
    dialect,
    catalog,
    decodeBody: stores.decodeBody,
    ...encodings,
    protobufFrames: new ProtobufFrames(encodings.protobuf),
    piecePool: createPiecePool({ pieceBytes: 256 * 1024, maxKept: 4 }),
    compresses: false,
    nowMs: () => nowMs,
    metaGroup: dialect.group('meta'),
    minRequestTimeoutMs: 1000,
    random: () => 0,
    authorizer: alwaysAllow,
    virtualForms: stores.virtualForms,
    fieldManager: stores.fieldManager,
    admission: stores.admission,
    deleteCollectionWorkers: 1,
    watchDelivery: createWatchDelivery(),
    sendsWarnings: true,
    noteDeprecated: createDeprecationNotice({ sendsWarnings: true, onRequest: () => {} }),
  };
  const printerOf = createTablePrinters({ dialect, gates });
  const endpoints = buildEndpoints({
    table,
    stores,
    context,
    printerOf,
    fieldsOf: createFieldLabels(dialect),
  });
  const handlers = { subresources: new Map(), virtual: new Map(), ...special({ stores, storage }) };
  return {
    stores,
    storage,
    async send(method, target, request = {}) {
      const { exchange, answer } = makeExchange(method, target, request);
      const endpoint = endpoints.find(exchange.info);
      if (endpoint === undefined) throw new Error(`nothing is served at ${target}`);
      try {
        await dispatch(exchange, endpoint, handlers);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        respondError(exchange, error, encodings);
      }
      return answer();
    },
    async [Symbol.asyncDispose]() {
      await watchCache[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

/** An exchange of a request in memory, and the answer once it was written. */
export function makeExchange(
  method: string,
  target: string,
  { body, contentType, accept, user = admin }: BenchRequest,
): { readonly exchange: Exchange; readonly answer: () => BenchAnswer } {
  const { path, segments, query } = parseTarget(target) ?? {
    path: '',
    segments: [],
    query: new URLSearchParams(),
  };
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const headers = {
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(accept === undefined ? {} : { accept }),
  };
  const sent = { code: 0, headers: {}, text: '' };
  const response = {
    headersSent: false,
    writeHead(code: number, given: Record<string, unknown>) {
      Object.assign(sent, { code, headers: given });
      this.headersSent = true;
    },
    end(chunk?: Buffer) {
      sent.text = chunk?.toString() ?? '';
    },
  };
  const exchange: Exchange = {
    // The handlers use of requests and responses only what stands here.
    request: Object.assign(Readable.from([Buffer.from(text)]), { headers }) as unknown as AnyRequest,
    response: response as unknown as AnyResponse,
    method,
    path,
    query,
    info: parseRequestInfo(method, path, segments, query),
    auditId: 'audit',
    startedAtMs: nowMs,
    abort() {},
    signal: new AbortController().signal,
    user,
    warnings: [],
  };
  return {
    exchange,
    answer: () => {
      const isJson = sent.text.startsWith('{');
      return { ...sent, body: isJson ? (JSON.parse(sent.text) as BenchAnswer['body']) : {} };
    },
  };
}
