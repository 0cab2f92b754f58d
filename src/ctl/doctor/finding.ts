/** What one look found: all well, something to know, something that will become a problem, or one that is there. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'warning' | 'failure';
  /** What was looked at: `server certificate`, `node/n1`. */
  readonly about: string;
  readonly message: string;
  /** A command or an advice; undefined where there is none. */
  readonly next?: string | undefined;
}

/** Nothing takes longer, unless somebody has to do something. */
export const patienceMs = 10 * 60 * 1000;

const dayMs = 24 * 60 * 60 * 1000;
/** Certificates are renewed in less. */
const soonMs = 30 * dayMs;
/** Leases and tokens live for minutes: a difference above this makes them invalid here and there. */
const maxClockDifferenceMs = 10_000;

/** Whether a certificate is good for another month. */
export function checkCertificate(about: string, validToMs: number, nowMs: number): Finding {
  const leftMs = validToMs - nowMs;
  const until = new Date(validToMs).toISOString();
  if (leftMs < 0) return { level: 'failure', about, message: `has expired at ${until}` };
  const message = `is good until ${until}, for ${Math.floor(leftMs / dayMs)} days`;
  return { level: leftMs < soonMs ? 'warning' : 'ok', about, message };
}

/** Whether client and server agree about the time, of which HTTP tells seconds. */
export function checkClock(serverMs: number, beforeMs: number, afterMs: number): Finding {
  const about = 'clock';
  // The server's second began at most a second before the answer was made.
  const aheadMs = serverMs - afterMs;
  const behindMs = beforeMs - (serverMs + 999);
  const differenceMs = Math.max(aheadMs, behindMs, 0);
  const message = `differs from the server's by ${Math.round(differenceMs / 1000)} s`;
  return differenceMs > maxClockDifferenceMs
    ? {
        level: 'failure',
        about,
        message,
        next: 'set both by NTP: tokens, leases and certificates go by time',
      }
    : { level: 'ok', about, message: 'agrees with that of the server' };
}

/** Whether versions such as `v1.20.2` are at most one minor release apart. */
export function checkVersions(about: string, found: string, server: string): Finding {
  const minors = [found, server].map((version) => /^v?(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number));
  const [[major = 0, minor = 0] = [], [serverMajor = 0, serverMinor = 0] = []] = minors;
  const isNear = major === serverMajor && Math.abs(minor - serverMinor) <= 1;
  const message = `${found} beside a server of ${server}`;
  return { level: isNear ? 'ok' : 'warning', about, message };
}

/** What `/readyz?verbose` says, line by line. */
export function checkHealth(text: string): Finding {
  const about = 'server';
  const failed = Array.from(text.matchAll(/^\[-\](\S+)/gm), ([, name]) => name ?? '');
  if (failed.length === 0) return { level: 'ok', about, message: 'is ready' };
  const message = `is not ready: ${failed.join(', ')}`;
  return { level: 'failure', about, message, next: "ctl get --raw '/readyz?verbose'" };
}
