import type { Session } from 'node:inspector/promises';
import { pipeline } from 'node:stream/promises';
import type { AgentExchange, AgentHandler } from '../http/exchange.ts';
import { readBody, sendBody, sendJson, sendLine, sendNoSniff } from '../http/respond.ts';

const maxLevelBytes = 1024;
const defaultProfileSeconds = 30;
const maxProfileSeconds = 600;

/** Shows the effective configuration under its name. */
export function handleConfigz(name: string, configz: () => unknown): AgentHandler {
  return (exchange) => {
    sendJson(exchange, { [name]: configz() }, { 'X-Content-Type-Options': 'nosniff' });
  };
}

/** Sets how much is logged: `PUT` with a number. */
export function handleVerbosity(setVerbosity: (level: number) => void): AgentHandler {
  return async (exchange) => {
    if (exchange.method !== 'PUT') return sendPlain(exchange, 406, 'unsupported http method');
    const text = (await readBody(exchange, maxLevelBytes)).toString('utf8');
    if (!/^[+-]?\d{1,9}$/.test(text)) {
      const problem = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
      return sendPlain(exchange, 400, `failed set klog.logging.verbosity ${text}: ${problem}`);
    }
    setVerbosity(Number(text));
    return sendPlain(exchange, 200, `successfully set klog.logging.verbosity to ${text}`);
  };
}

function sendPlain(exchange: AgentExchange, status: number, text: string): void {
  const headers = { 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' };
  sendBody(exchange, status, headers, `${text}\n`);
}

/**
 * How the program was started, where it spends its time, what it allocates meanwhile, and what its memory holds: profiles
 * that developer tools open. Taking the last one stops the program for a moment.
 */
export function handleProfiles(commandLine: readonly string[]): AgentHandler {
  return async (exchange, { profile = '' }) => {
    if (profile === 'cmdline') return sendNoSniff(exchange, 200, commandLine.join('\0'));
    if (profile === 'profile') return sendSampled(exchange, sampledProfiles.profile);
    if (profile === 'allocs') return sendSampled(exchange, sampledProfiles.allocs);
    if (profile === 'heap') return sendHeap(exchange);
    return sendLine(exchange, 404, 'Unknown profile');
  };
}

/** A profile that is sampled for some time. */
interface SampledProfile {
  readonly fileName: string;
  readonly what: string;
  begin(session: Session): Promise<void>;
  end(session: Session): Promise<unknown>;
}

const sampledProfiles = {
  profile: {
    fileName: 'profile.cpuprofile',
    what: 'CPU profiling',
    async begin(session) {
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
    },
    end: async (session) => (await session.post('Profiler.stop')).profile,
  },
  allocs: {
    fileName: 'allocs.heapprofile',
    what: 'allocation profiling',
    begin: (session) => session.post('HeapProfiler.startSampling'),
    end: async (session) => (await session.post('HeapProfiler.stopSampling')).profile,
  },
} satisfies Readonly<Record<string, SampledProfile>>;

/** The process has one profiler, however many servers there are. */
let isProfiling = false;

async function sendSampled(
  exchange: AgentExchange,
  { fileName, what, begin, end }: SampledProfile,
): Promise<void> {
  const asked = Number(exchange.query.get('seconds') ?? defaultProfileSeconds);
  const seconds = asked > 0 ? Math.min(asked, maxProfileSeconds) : defaultProfileSeconds;
  if (isProfiling) return sendLine(exchange, 500, `Could not enable ${what}: it is in use already`);
  isProfiling = true;
  try {
    const inspector = await import('node:inspector/promises');
    const session = new inspector.Session();
    session.connect();
    await begin(session);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      exchange.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    const profile = await end(session);
    session.disconnect();
    sendJson(exchange, profile, attachment(fileName));
  } finally {
    isProfiling = false;
  }
}

async function sendHeap(exchange: AgentExchange): Promise<void> {
  if (isProfiling) return sendLine(exchange, 500, 'Could not write the heap: profiling is in use already');
  isProfiling = true;
  try {
    const { getHeapSnapshot } = await import('node:v8');
    const { response } = exchange;
    response.writeHead(200, { 'Content-Type': 'application/json', ...attachment('heap.heapsnapshot') });
    // Who leaves early gets no more of it.
    await pipeline(getHeapSnapshot(), response).catch(() => response.destroy());
  } finally {
    isProfiling = false;
  }
}

const attachment = (fileName: string) => ({
  'Content-Disposition': `attachment; filename="${fileName}"`,
  'X-Content-Type-Options': 'nosniff',
});
