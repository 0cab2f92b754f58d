import { errorText } from '../../base/index.ts';
import { isReason, StatusError } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { UnknownNameError } from '../errors.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import { readAllTypes } from '../resource/read-all-types.ts';
import { readDocuments } from '../resource/read-collection.ts';
import { readObjects } from '../resource/read-objects.ts';
import { kindName } from '../resource/target.ts';
import { nameOf } from '../why/finding.ts';
import { type CalledService, calleeSources } from './callees.ts';
import { worksDone } from './check-lease.ts';
import { checkObject, isReady, objectChecks } from './check-objects.ts';
import { findStuck, type StuckObjects, tellStuck } from './check-stuck.ts';
import { type Backend, type ClusterFacts, keyOf } from './facts.ts';
import type { Finding } from './finding.ts';

/** Services that are read side by side. */
const maxReads = 8;
/** Types that are named when many could not be listed. */
const maxNamedTypes = 5;

/** Objects of a type; why they could not be read; undefined when the type is not served. */
type Answer = readonly WireObject[] | string | undefined;

/** Objects that others need to work: nodes, leases, webhooks and their like. */
export async function lookAtObjects(
  ctl: Ctl,
  { nowMs, serverVersion }: Pick<ClusterFacts, 'nowMs' | 'serverVersion'>,
): Promise<readonly Finding[]> {
  const types = Object.keys(objectChecks);
  const answers = new Map(
    await Promise.all(types.map(async (type) => [type, await readAll(ctl, type)] as const)),
  );
  const objectsOf = (type: string): readonly WireObject[] => {
    const answer = answers.get(type);
    return typeof answer === 'string' ? [] : (answer ?? []);
  };
  const services = Object.entries(calleeSources).flatMap(([type, calleesOf]) =>
    objectsOf(type).flatMap((object) => calleesOf(object).flatMap(({ service }) => service ?? [])),
  );
  const backends = await readBackends(ctl, services);
  const facts: ClusterFacts = {
    dialect: ctl.dialect,
    nowMs,
    serverVersion,
    backends,
    lostNodes: new Set(
      objectsOf('nodes.')
        .filter((node) => !isReady(node))
        .map(nameOf),
    ),
    worksDone: new Set(
      objectsOf('leases.coordination').flatMap((lease) => worksDone(lease, ctl.dialect, nowMs)),
    ),
  };
  return [
    ...[...answers].flatMap(([type, answer]) => tell(type, answer, facts)),
    ...[...backends].flatMap(([key, backend]) =>
      backend.kind === 'unread' ? [tellUnread(key, backend)] : [],
    ),
    ...(await lookForStuck(ctl, nowMs)),
  ];
}

function tell(type: string, answer: Answer, facts: ClusterFacts): readonly Finding[] {
  if (answer === undefined) return [];
  const about = type.replace(/\..*/, '');
  if (typeof answer === 'string') return [{ level: 'note', about, message: `could not be read: ${answer}` }];
  const found = answer.flatMap((object) => checkObject(type, object, facts));
  const calleesOf = calleeSources[type] ?? (() => []);
  const isWhole = answer
    .flatMap((object) => calleesOf(object))
    .every(({ service }) => service === undefined || facts.backends.get(keyOf(service))?.kind === 'read');
  if (answer.length === 0 || !isWhole || found.some(({ level }) => level !== 'ok')) return found;
  const message = `nothing is wrong with the ${answer.length} that there are`;
  return [...found, { level: 'ok', about, message }];
}

const tellUnread = (key: string, { message }: Extract<Backend, { kind: 'unread' }>): Finding => ({
  level: 'note',
  about: `service ${key}, which the server calls`,
  message: `could not be read: ${message}`,
});

async function readAll(ctl: Ctl, type: string): Promise<Answer> {
  const [name = '', group = ''] = type.split('.');
  const typed = group === '' ? name : `${name}.${ctl.dialect.group(group)}`;
  try {
    return await readObjects(ctl, typed, { namespace: '' });
  } catch (error) {
    if (error instanceof UnknownNameError) return undefined;
    if (!(error instanceof StatusError)) throw error;
    return errorText(error);
  }
}

async function readBackends(
  ctl: Ctl,
  services: readonly CalledService[],
): Promise<ReadonlyMap<string, Backend>> {
  const backends = new Map<string, Backend>();
  const waiting = new Map(services.map((service) => [keyOf(service), service])).entries();
  const readOn = async (): Promise<void> => {
    // All take from the same services.
    for (const [key, service] of waiting) backends.set(key, await readBackend(ctl, service));
  };
  await Promise.all(Array.from({ length: maxReads }, readOn));
  return backends;
}

async function readBackend(ctl: Ctl, service: CalledService): Promise<Backend> {
  try {
    const [found, endpoints] = await Promise.all([
      readOne(ctl, 'services', service),
      readOne(ctl, 'endpoints', service),
    ]);
    return { kind: 'read', service: found, endpoints };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { kind: 'unread', message: errorText(error) };
  }
}

/** Undefined when it is not there. @throws StatusError */
async function readOne(
  ctl: Ctl,
  type: string,
  { namespace, name }: CalledService,
): Promise<WireObject | undefined> {
  const [client, resource] = await Promise.all([ctl.client(), ctl.findResource(type)]);
  const options = { chunkSize: 0, signal: ctl.io.signal };
  try {
    for await (const object of readDocuments(client, { resource, namespace, name }, options))
      return isWireObject(object) ? object : undefined;
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
  return undefined;
}

/** Objects of any type that are being deleted and do not go. */
async function lookForStuck(ctl: Ctl, nowMs: number): Promise<readonly Finding[]> {
  const stuck = new Map<string, StuckObjects>();
  const unread = await readAllTypes(ctl, '', (table, resource) => {
    const kind = kindName(resource);
    stuck.set(kind, [...(stuck.get(kind) ?? []), ...findStuck(table, resource, nowMs)]);
  });
  const findings = [...stuck].flatMap(([kind, objects]) => tellStuck(kind, objects));
  if (unread.length === 0) return findings;
  const types = unread.map(({ type }) => type).sort();
  const more = types.length > maxNamedTypes ? ` and ${types.length - maxNamedTypes} more` : '';
  const message = `nobody looked for what does not go among ${types.slice(0, maxNamedTypes).join(', ')}${more}, which could not be read: ${unread[0]?.message}`;
  return [...findings, { level: 'note', about: 'objects', message }];
}
