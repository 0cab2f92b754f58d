/** A line of a log file of the runtime: time, stream, whether the line ends here, and the text. */
const logLine = /^\S+ (?:stdout|stderr) ([FP])(?::\S*)? (.*)$/;

/** The end of a log as the container wrote it, within bounds of lines and bytes. Cut lines and others are left out. */
export function tailOf(
  log: string,
  { lines, bytes }: { readonly lines: number; readonly bytes: number },
): string {
  const texts: string[] = [];
  for (const line of log.split('\n')) {
    const match = logLine.exec(line);
    if (match !== null) texts.push(match[1] === 'F' ? `${match[2]}\n` : (match[2] ?? ''));
  }
  const text = Buffer.from(texts.slice(-lines).join(''));
  return text.subarray(Math.max(0, text.length - bytes)).toString('utf8');
}
