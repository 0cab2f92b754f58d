/** Whose log a file holds. */
export interface LogOwner {
  readonly program: string;
  readonly host: string;
  readonly user: string;
  readonly pid: number;
}

/** Severities that have files, in release 1.20's order: the index is the number. */
export const severityNames = ['INFO', 'WARNING', 'ERROR', 'FATAL'] as const;

/** One of them. */
export type SeverityName = (typeof severityNames)[number];

/** `nodeagent.host.user.log.INFO.20300102-030405.7`, the moment in local time. */
export function logFileName(
  { program, host, user, pid }: LogOwner,
  severity: SeverityName,
  atMs: number,
): string {
  const { date, time } = partsOf(atMs);
  const stamp = `${date.join('')}-${time.join('')}`;
  return `${program}.${plain(shortHost(host))}.${plain(user)}.log.${severity}.${stamp}.${pid}`;
}

/** Name of the link to the newest file of a severity: `nodeagent.INFO`. */
export function logLinkName(program: string, severity: SeverityName): string {
  return `${program}.${severity}`;
}

/** What a log file begins with. */
export function logFileHeader({ host }: LogOwner, atMs: number): string {
  const { date, time } = partsOf(atMs);
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  return [
    `Log file created at: ${date.join('/')} ${time.join(':')}`,
    `Running on machine: ${shortHost(host)}`,
    `Binary: Built with node ${process.version} for ${process.platform}/${architecture}`,
    'Log line format: hh:mm:ss.mmm (UTC) level [file:line] message [key=value...]',
    '',
  ].join('\n');
}

const shortHost = (host: string): string => host.split('.', 1)[0] ?? host;

/** A name as part of the name of a file. */
const plain = (name: string): string => name.replaceAll(/[\\/]/g, '_');

function partsOf(atMs: number): { readonly date: string[]; readonly time: string[] } {
  const at = new Date(atMs);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return { date: date.map(pad), time: time.map(pad) };
}
