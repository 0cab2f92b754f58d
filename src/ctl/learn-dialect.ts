import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asJsonObject, writeFileAtomic } from '../base/index.ts';
import { type Connection, createRestClient, hostOf, readServerDialect } from '../client/rest/index.ts';
import { createDialect, type Dialect } from '../machinery/dialect.ts';
import { userAgentOf } from './client-version.ts';
import type { CtlIo } from './io.ts';

/** Whose dialect is wanted, and what may be done for it. */
export interface LearnInputs {
  readonly io: CtlIo;
  readonly connection: Connection;
  /** Folder of all that is kept of servers; below the home folder when it is not set. */
  readonly cacheDir?: string | undefined;
  readonly mayAsk: boolean;
}

/** Time for an answer: a server that is slower than this is spoken to as its configuration lets expect. */
const timeoutMs = 3_000;
/** How long an answer counts for an address that any server may have. */
const ttlMs = 10 * 60 * 1000;

/**
 * The dialect that a server speaks, by its version: ours names orch, the other one's is a plain release. It is kept
 * for a server with an authority of its own, and for ten minutes for others. Undefined when it is not known.
 */
export async function learnDialect(inputs: LearnInputs): Promise<Dialect | undefined> {
  const { io, connection, cacheDir, mayAsk } = inputs;
  const { server, tls } = connection;
  const folder = join(cacheDir || join(io.home, '.orch', 'cache'), 'dialect');
  const file = join(folder, `${hostOf(server).replace(/[^\w.]/g, '_')}.json`);
  const hasAuthority = tls.ca !== undefined && tls.skipsVerification !== true;
  // Certificates are public; to compare them as they are takes no library.
  const authority = hasAuthority ? String(tls.ca) : '';
  const kept = readKept(file);
  const ageMs = io.clock.nowMs() - Number(kept.savedAtMs);
  if (
    kept.server === server &&
    kept.authority === authority &&
    (hasAuthority || (ageMs >= 0 && ageMs < ttlMs))
  )
    return createDialect(kept.dialect === 'kubernetes' ? 'kubernetes' : 'orch');
  if (!mayAsk) return undefined;
  const dialect = await ask(inputs);
  if (dialect === undefined) return undefined;
  const known = { server, authority, dialect, savedAtMs: io.clock.nowMs() };
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
    await writeFileAtomic(file, JSON.stringify(known));
  } catch {
    // A cache that cannot be written makes the next command slower, not wrong.
  }
  return createDialect(dialect);
}

function readKept(file: string): Readonly<Record<string, unknown>> {
  try {
    return asJsonObject(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {}; // nothing kept, or broken: the server knows
  }
}

/** Servers tell their version to everybody, so that nobody needs to log in for it, or to be anybody else. */
async function ask({ io, connection }: LearnInputs): Promise<Dialect['name'] | undefined> {
  const client = createRestClient({
    connection: { ...connection, auth: { ...connection.auth, impersonate: undefined } },
    timeoutMs,
    clock: io.clock,
    userAgent: userAgentOf('ctl'),
  });
  try {
    return (await readServerDialect(client, io.signal))?.name;
  } catch {
    return undefined; // the command's own request will say what is wrong
  } finally {
    client.close();
  }
}
