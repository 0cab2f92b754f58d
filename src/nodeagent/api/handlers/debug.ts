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

/** How the program was started, and where it spends its time (a profile that developer tools open). */
export function handleProfiles(commandLine: readonly string[]): AgentHandler {
  return async (exchange, { profile = '' }) => {
    if (profile === 'cmdline') return sendNoSniff(exchange, 200, commandLine.join('\0'));
    if (profile === 'profile') return sendProfile(exchange);
    return sendLine(exchange, 404, 'Unknown profile');
  };
}

/** The process has one profiler, however many servers there are. */
let isProfiling = false;

async function sendProfile(exchange: AgentExchange): Promise<void> {
  const asked = Number(exchange.query.get('seconds') ?? defaultProfileSeconds);
  const seconds = asked > 0 ? Math.min(asked, maxProfileSeconds) : defaultProfileSeconds;
  if (isProfiling) return sendLine(exchange, 500, 'Could not enable CPU profiling: it is in use already');
  isProfiling = true;
  try {
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      exchange.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    const headers = {
      'Content-Disposition': 'attachment; filename="profile.cpuprofile"',
      'X-Content-Type-Options': 'nosniff',
    };
    sendJson(exchange, profile, headers);
  } finally {
    isProfiling = false;
  }
}
