import { readFile } from 'node:fs/promises';
import { type Clock, fileErrorText, type Logger, reasonText } from '../base/index.ts';
import { OptionsError } from '../config/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { ProtobufCompiler } from '../machinery/codec/protobuf/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  type AppendLines,
  type AuditBackend,
  type AuditPolicy,
  AuditPolicyError,
  type AuditSink,
  type AuditVersion,
  auditVersions,
  BatchSink,
  createBlockingSink,
  createBodyReader,
  createLogBackend,
  createWebhookBackend,
  type EventEncoder,
  joinSinks,
  LossLog,
  metadataPolicy,
  RotatingFile,
  readAuditPolicy,
} from '../server/audit/index.ts';
import { callWithBackoff, WebhookCaller, type WebhookClientConfig } from '../server/callouts/index.ts';
import { type AuditSinkSettings, logSettings, webhookSettings } from './audit-settings.ts';
import { openCallee } from './open-callee.ts';

/** Which events there are, and where they go. */
export interface AuditAccess {
  readonly policy: AuditPolicy;
  /** The sinks; they record what waits when they are closed. */
  open(sources: AuditSinkSources): AuditSink;
}

/** What sinks need that is built later than they are checked. */
export interface AuditSinkSources {
  readonly dialect: Dialect;
  readonly protobuf: ProtobufCompiler;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of events that were lost. */
  readonly onLost: (plugin: string, count: number) => void;
}

/** Where the flags say that events go. */
interface Destinations {
  readonly log: { readonly append: AppendLines; close(): Promise<void> } | undefined;
  readonly webhook: (() => WebhookClientConfig) | undefined;
}

type OpenSources = Pick<AuditSinkSources, 'dialect' | 'clock' | 'logger'>;

/**
 * Auditing as the flags say; undefined where none is asked for. Without a policy the metadata of all requests is
 * recorded.
 *
 * @throws OptionsError when a file cannot be read, or nothing can be appended to the log.
 */
export async function openAudit(config: ServeConfig, sources: OpenSources): Promise<AuditAccess | undefined> {
  const { auditLogPath: path, auditWebhookConfigFile: calleePath, auditPolicyFile: policyPath } = config;
  if (!path && !calleePath) return undefined;
  const policy =
    policyPath === undefined ? metadataPolicy : await readPolicyFile(policyPath, sources.dialect);
  const webhook = calleePath ? await openWebhook(calleePath, sources) : undefined;
  const log = path ? await openLog(path, config, sources) : undefined;
  return { policy, open: (given) => openSinks(config, { log, webhook }, given) };
}

function openSinks(
  config: ServeConfig,
  { log, webhook }: Destinations,
  sources: AuditSinkSources,
): AuditSink {
  const sinks: AuditSink[] = [];
  if (log !== undefined) {
    const settings = logSettings(config);
    const backend = createLogBackend({
      append: log.append,
      format: config.auditLogFormat,
      encoder: encoderFor('log', settings, sources),
    });
    sinks.push(closedWith(openSink('log', settings, backend, sources), () => log.close()));
  }
  if (webhook !== undefined) {
    const settings = webhookSettings(config);
    const { post, close } = createPost(webhook, config.auditWebhookInitialBackoffMs, sources);
    const backend = createWebhookBackend({ post, encoder: encoderFor('webhook', settings, sources) });
    sinks.push(closedWith(openSink('webhook', settings, backend, sources), close));
  }
  return joinSinks(sinks);
}

function openSink(
  plugin: string,
  { mode, batch }: AuditSinkSettings,
  backend: AuditBackend,
  { clock, logger, onLost }: AuditSinkSources,
): AuditSink {
  const losses = new LossLog({ clock, logger, plugin, onLost: (count) => onLost(plugin, count) });
  if (mode === 'batch') return new BatchSink({ ...batch, backend, losses, clock });
  return createBlockingSink({ backend, losses, isStrict: mode === 'blocking-strict' });
}

const closedWith = (sink: AuditSink, close: () => Promise<void>): AuditSink => ({
  isAwaited: sink.isAwaited,
  record: (event) => sink.record(event),
  async close() {
    await sink.close();
    await close();
  },
});

function encoderFor(
  plugin: string,
  { version, limits }: AuditSinkSettings,
  { dialect, protobuf, clock, logger, onLost }: AuditSinkSources,
): EventEncoder {
  const losses = new LossLog({ clock, logger, plugin, onLost: (count) => onLost(plugin, count) });
  return {
    context: {
      version: versionOf(version),
      apiVersion: `${dialect.group('audit')}/${versionOf(version)}`,
      readBody: createBodyReader(protobuf),
    },
    limits,
    truncated: dialect.domain('audit', 'truncated'),
    onLost: (reason) => losses.add(1, reason),
  };
}

const versionOf = (text: string): AuditVersion =>
  auditVersions.find((version) => text.endsWith(`/${version}`)) ?? 'v1';

/** Of one call. Source: release 1.20. */
const timeoutMs = 30_000;
const maxResponseBytes = 1024 * 1024;

/** Sends lists of events, each up to five times. */
function createPost(client: () => WebhookClientConfig, initialDelayMs: number, { clock }: AuditSinkSources) {
  const caller = new WebhookCaller({
    // The file of an operator names a URL.
    resolveService: () => {
      throw new Error('services are not resolved here');
    },
    userAgent: 'Go-http-client/1.1',
    clock,
  });
  const ended = new AbortController();
  const post = async (body: string): Promise<void> => {
    const call = () => caller.call({ client: client(), body, timeoutMs, maxResponseBytes, mayBeEmpty: true });
    await callWithBackoff(call, {
      clock,
      random: Math.random,
      initialDelayMs,
      signal: ended.signal,
      isTransient: () => true,
    });
  };
  const close = async (): Promise<void> => {
    ended.abort();
    caller.close();
  };
  return { post, close };
}

async function openWebhook(path: string, { clock, logger }: OpenSources): Promise<() => WebhookClientConfig> {
  try {
    return await openCallee({ flag: 'audit-webhook-config-file', path, clock, logger });
  } catch (error) {
    throw new OptionsError([reasonText(error)]);
  }
}

const bytesPerMegabyte = 1024 * 1024;
const msPerDay = 24 * 60 * 60 * 1000;
/** Megabytes of a log file when none are named. Source: release 1.20. */
const defaultMaxSize = 100;

async function openLog(
  path: string,
  config: ServeConfig,
  { clock, logger }: OpenSources,
): Promise<NonNullable<Destinations['log']>> {
  if (path === '-') return { append: appendToOutput, close: () => Promise.resolve() };
  const file = new RotatingFile({
    path,
    maxBytes: (config.auditLogMaxsize || defaultMaxSize) * bytesPerMegabyte,
    maxBackups: config.auditLogMaxbackup,
    maxAgeMs: config.auditLogMaxage * msPerDay,
    compresses: config.auditLogCompress,
    clock,
    onTidyError: (error) => logger.error('audit log files cannot be packed or removed', { error }),
  });
  await file.append('').catch((cause: unknown) => {
    throw new OptionsError([`--audit-log-path: ${fileErrorText(cause, path)}`]);
  });
  return { append: (lines) => file.append(lines), close: () => file.close() };
}

async function readPolicyFile(path: string, dialect: Dialect): Promise<AuditPolicy> {
  try {
    const text = await readFile(path, 'utf8');
    const { CORE_SCHEMA, load } = await import('js-yaml');
    return readAuditPolicy(load(text, { schema: CORE_SCHEMA }), dialect);
  } catch (error) {
    if (!(error instanceof AuditPolicyError)) {
      throw new OptionsError([`--audit-policy-file: read ${path}: ${reasonText(error)}`]);
    }
    throw new OptionsError(error.problems.map((problem) => `--audit-policy-file: ${path}: ${problem}`));
  }
}

/** A reader that is gone makes writing fail, which ends nothing: events are lost. */
function appendToOutput(lines: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(lines, (error) => (error ? reject(error) : resolve()));
  });
}
