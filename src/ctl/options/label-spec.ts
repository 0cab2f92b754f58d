import { CtlError } from '../errors.ts';

/** Labels as `--labels` has them: `KEY=VALUE,KEY=VALUE`. @throws CtlError as release 1.20 words it */
export function parseLabelSpec(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [key = '', value, ...rest] = pair.split('=');
    if (value === undefined || rest.length > 0) throw new CtlError(`unexpected label spec: ${pair}`);
    if (key === '') throw new CtlError('unexpected empty label key');
    return [key, value] as const;
  });
  return Object.fromEntries(pairs);
}

/** A number as Go's `strconv.Atoi` reads it. @throws CtlError in its words */
export function parseGoInteger(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new CtlError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}
